import type { Command } from 'commander';
import { usageError } from './errors.ts';
import { connect, type JarCommandOptions, print } from './jar-command.ts';

interface DiffOptions extends JarCommandOptions {
  readonly collection?: string;
  readonly all?: boolean;
}

interface Comparison {
  readonly from: { readonly name: string | null };
  readonly to: { readonly name: string | null };
  readonly collections: readonly Counts[];
  readonly value: readonly Difference[];
  readonly nextLink?: string;
}

interface Counts {
  readonly collection: string;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

interface Difference {
  readonly collection: string;
  readonly key: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly fields?: readonly Field[];
  readonly moreFields?: boolean;
}

interface Field {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly secret?: boolean;
}

/** Shown without `--all`: the largest page of the control API. */
const SHOWN = 1000;
const SIGNS = { added: '+', removed: '-', changed: '~' } as const;

/** Declares the arguments and the action of `snapshot diff`. */
export function declareDiff(command: Command): void {
  command
    .argument('<from>', 'the first snapshot')
    .argument('[to]', 'the second snapshot (default: the present state)')
    .option('--collection <name>', 'compare only this collection')
    .option('--all', `print all differences, also if there are more than ${SHOWN}`)
    .action(async (from: string, to: string | undefined, _own: unknown, own: Command) => {
      const options = own.optsWithGlobals<DiffOptions>();
      for (const name of [from, to]) if (name === '') throw usageError('the name of a snapshot is empty');
      const asked = { from, ...(to !== undefined && { to }) };
      const query = new URLSearchParams({ ...asked, ...(options.collection && { collection: options.collection }) });
      const compared = await comparison(options, `/_jar/snapshots/compare?${query}&$top=${SHOWN}`);
      print(options, compared, lines(compared).join('\n'));
    });
}

async function comparison(options: DiffOptions, path: string): Promise<Comparison> {
  const client = connect(options, { from: '<from>', to: '[to]', collection: '--collection' });
  const first = (await client.get(path)) as Comparison;
  if (!options.all || first.nextLink === undefined) return first;
  const { nextLink: _first, ...rest } = first;
  const value = [...first.value];
  for (let next: string | undefined = first.nextLink; next !== undefined; ) {
    const { pathname, search } = new URL(next);
    const page = (await client.get(pathname + search)) as Comparison;
    value.push(...page.value);
    next = page.nextLink;
  }
  return { ...rest, value };
}

function lines({ from, to, collections, value, nextLink }: Comparison): string[] {
  const differing = collections.filter(({ added, removed, changed }) => added + removed + changed > 0);
  const sides = `${from.name} and ${to.name ?? 'the present state'}`;
  if (differing.length === 0) return [`there is no difference between ${sides}`];
  const shown = differing.flatMap((counts) => {
    const items = value.filter(({ collection }) => collection === counts.collection);
    return [headOf(counts), ...items.flatMap(itemLines)];
  });
  const more = nextLink === undefined ? [] : [`only the first ${value.length} are shown; --all shows the others`];
  return [...shown, ...more];
}

const headOf = ({ collection, added, removed, changed }: Counts): string =>
  `${collection}: ${added} added, ${removed} removed, ${changed} changed`;

function itemLines({ key, change, fields = [], moreFields }: Difference): string[] {
  const more = moreFields ? ['      and more'] : [];
  return [`  ${SIGNS[change]} ${key}`, ...fields.map(fieldLine), ...more];
}

function fieldLine({ path, before, after, secret }: Field): string {
  const name = path === '' ? 'the whole value' : path;
  return secret ? `      ${name}: changed (secret)` : `      ${name}: ${shown(before)} -> ${shown(after)}`;
}

const shown = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value));
