import { hintOf, type Method, NearestPaths } from '../../../kernel/http/index.ts';
import { errors } from '../errors.ts';
import type { Segment } from './path.ts';
import type { Operation } from './request.ts';
import type { Version } from './version.ts';

/** The fields of a row by which it is found. */
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

/** Base of the table's paths, for the suggestion in an error. */
export interface Below {
  /** For example `/v1.0/me`. */
  readonly prefix: string;
  /** For example `https://localhost:7443`. */
  readonly origin: string;
}

/** A table of operations, keyed by the path below a mailbox or below the version. */
export class Operations<O extends Addressed = Operation> {
  /** Keyed by the number of segments. */
  readonly #byLength = new Map<number, Entry<O>[]>();
  readonly #rows: readonly O[];
  /** Created on the first unknown path. */
  #nearest: NearestPaths<Addressed> | undefined;

  constructor(rows: readonly O[]) {
    this.#rows = rows;
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
    // Names take precedence over parameters: `messages/delta` is not a message.
    for (const same of this.#byLength.values()) same.sort((a, b) => weight(b) - weight(a));
  }

  find(method: Method, version: Version, segments: readonly Segment[], below: Below): Found<O> {
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
    if (allowed.size === 0) throw this.#unknown(method, segments, below);
    const list = [...allowed].join(', ');
    throw errors.MethodNotAllowed({ method, path, allowed: list }, { headers: { allow: list } });
  }

  /** Every path of the table, including the paths of items below folders and calendars. */
  paths(): readonly (O & { readonly isPlace: boolean })[] {
    return this.#rows.flatMap((row) => [
      { ...row, isPlace: false },
      ...placesOf(row.path).map((path) => ({ ...row, path, isPlace: true })),
    ]);
  }

  #unknown(method: Method, segments: readonly Segment[], { prefix, origin }: Below): Error {
    if (!this.#nearest) {
      this.#nearest = new NearestPaths();
      for (const row of this.paths()) this.#nearest.add(row);
    }
    const words = segments.map(({ text }) => text);
    const { nearest } = this.#nearest.find(method, words);
    const meant = nearest && { method: nearest.method, path: `${prefix}/${nearest.path}` };
    const segment = (words[this.#known(segments)] ?? words.at(-1) ?? '').slice(0, 100);
    return errors.BadRequest__Path({ segment, hint: hintOf(meant, origin) });
  }

  /** The number of leading segments that match a row. The segment after them is the wrong one. */
  #known(segments: readonly Segment[]): number {
    let most = 0;
    for (const { parts } of [...this.#byLength.values()].flat()) {
      const at = parts.findIndex(
        (part, i) => !segments[i] || ('name' in part && part.name !== segments[i].text.toLowerCase()),
      );
      most = Math.max(most, at < 0 ? parts.length : at);
    }
    return most;
  }
}

/** The paths of items below folders and calendars; see `path.ts`. */
function placesOf(path: string): string[] {
  if (/^calendars\/\{calendar\}(?:$|\/)/.test(path)) return [path.replace('calendars/{calendar}', 'calendar')];
  if (/^messages(?:$|\/)/.test(path)) return [`mailFolders/{folder}/${path}`];
  return /^(?:events|calendarView)(?:$|\/)/i.test(path) ? [`calendar/${path}`, `calendars/{calendar}/${path}`] : [];
}

/** Ranks rows by specificity; earlier names weigh more. */
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
