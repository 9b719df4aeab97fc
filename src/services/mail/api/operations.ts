import type { Method } from '../../../kernel/http/index.ts';
import { errors } from '../errors.ts';
import type { Segment } from './path.ts';
import type { Operation } from './request.ts';
import type { Version } from './version.ts';

/** What a row needs to be found. */
type Addressed = Pick<Operation, 'method' | 'path' | 'isBeta'>;

interface Entry<O> {
  readonly operation: O;
  /** A name in lower case, or the name of a parameter. */
  readonly parts: readonly ({ readonly name: string } | { readonly param: string })[];
}

export interface Found<O = Operation> {
  readonly operation: O;
  readonly params: Readonly<Record<string, string>>;
}

/** A table of operations: by the path below a mailbox, or by that below the version. */
export class Operations<O extends Addressed = Operation> {
  /** By the number of segments. */
  readonly #byLength = new Map<number, Entry<O>[]>();

  constructor(rows: readonly O[]) {
    for (const operation of rows) {
      const parts = operation.path
        .split('/')
        .filter(Boolean)
        .map((part) => {
          const param = /^\{(\w+)\}$/.exec(part)?.[1];
          return param === undefined ? { name: part.toLowerCase() } : { param };
        });
      const same = this.#byLength.get(parts.length) ?? [];
      same.push({ operation, parts });
      this.#byLength.set(parts.length, same);
    }
    // Names win over parameters: `messages/delta` is no message.
    for (const same of this.#byLength.values()) same.sort((a, b) => weight(b) - weight(a));
  }

  find(method: Method, version: Version, segments: readonly Segment[]): Found<O> {
    const asked = method === 'HEAD' ? 'GET' : method;
    const allowed = new Set<string>();
    for (const { operation, parts } of this.#byLength.get(segments.length) ?? []) {
      const params = match(parts, segments);
      if (!params || (operation.isBeta && version !== 'beta')) continue;
      if (operation.method === asked) return { operation, params };
      allowed.add(operation.method);
    }
    const path = segments
      .map(({ text }) => text)
      .join('/')
      .slice(0, 200);
    if (allowed.size === 0) throw errors.BadRequest__Path({ segment: (segments.at(-1)?.text ?? '').slice(0, 100) });
    const list = [...allowed].join(', ');
    throw errors.MethodNotAllowed({ method, path, allowed: list }, { headers: { allow: list } });
  }
}

/** Earlier names count for more. */
const weight = ({ parts }: Pick<Entry<never>, 'parts'>): number =>
  parts.reduce((sum, part) => sum * 2 + ('name' in part ? 1 : 0), 0);

function match(parts: Entry<never>['parts'], segments: readonly Segment[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const { text, args } = segments[at] as Segment;
    if ('param' in part) params[part.param] = text;
    else if (part.name !== text.toLowerCase()) return undefined;
    else if (args) Object.assign(params, args);
  }
  return params;
}
