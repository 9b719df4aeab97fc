import { isObject } from '../../values/objects.ts';

/** Members to leave out of a JSON value, as a tree, so that only the affected parts of a value are walked. */
export interface Branch {
  readonly drops: ReadonlySet<string>;
  readonly below: ReadonlyMap<string, Branch>;
  /** Words of a member that are spelled differently. */
  readonly spells: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export type Spellings = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Growing extends Branch {
  readonly drops: Set<string>;
  readonly below: Map<string, Growing>;
  readonly spells: Map<string, ReadonlyMap<string, string>>;
}

const growing = (): Growing => ({ drops: new Set(), below: new Map(), spells: new Map() });

/**
 * Builds the tree of paths such as `properties.containers[].properties.zones`. Lists are always walked entry by entry; the brackets are
 * only for readers. Returns undefined if nothing is left out.
 */
export function treeOf(
  paths: Iterable<string>,
  spellings: Spellings = {},
  named: (name: string) => string = (name) => name,
): Branch | undefined {
  const root = growing();
  for (const path of paths) {
    const { branch, last } = grow(root, path, named);
    branch.drops.add(last);
  }
  for (const [path, words] of Object.entries(spellings)) {
    const { branch, last } = grow(root, path, named);
    branch.spells.set(last, new Map(Object.entries(words)));
  }
  return root.drops.size + root.below.size + root.spells.size === 0 ? undefined : root;
}

function grow(root: Growing, path: string, named: (name: string) => string): { branch: Growing; last: string } {
  const names = path.replaceAll('[]', '').split('.').map(named);
  let branch = root;
  for (const name of names.slice(0, -1)) {
    const below = branch.below.get(name) ?? growing();
    branch.below.set(name, below);
    branch = below;
  }
  return { branch, last: names.at(-1) ?? '' };
}

/** The value as a version shows it. Unchanged parts are not copied. */
export function shown(branch: Branch, value: unknown): unknown {
  if (Array.isArray(value)) return eachEntry(value, (entry) => shown(branch, entry));
  if (!isObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [name, below] of branch.below) {
    const before = value[name];
    if (typeof before !== 'object' || branch.drops.has(name)) continue;
    const after = shown(below, before);
    if (after === before) continue;
    copy ??= { ...value };
    copy[name] = after;
  }
  for (const [name, words] of branch.spells) {
    const spelled = words.get(String(value[name]));
    if (spelled === undefined) continue;
    copy ??= { ...value };
    copy[name] = spelled;
  }
  for (const name of branch.drops) {
    if (value[name] === undefined) continue;
    copy ??= { ...value };
    delete copy[name];
  }
  return copy ?? value;
}

/** The value as a version reads it. Names are compared without case, and the tree has them in lower case. */
export function accepted(branch: Branch, value: unknown): unknown {
  if (Array.isArray(value)) return eachEntry(value, (entry) => accepted(branch, entry));
  if (!isObject(value)) return value;
  let changed = false;
  const entries = Object.entries(value).flatMap(([name, before]): [string, unknown][] => {
    const lower = name.toLowerCase();
    const isGone = branch.drops.has(lower);
    const below = branch.below.get(lower);
    const after = below && !isGone ? accepted(below, before) : before;
    changed ||= isGone || after !== before;
    return isGone ? [] : [[name, after]];
  });
  // `Object.fromEntries` defines members, so `__proto__` is an ordinary name.
  return changed ? Object.fromEntries(entries) : value;
}

/** Lists in lists are skipped: no field has them, and a client could nest them deeper than the stack allows. */
function eachEntry(list: readonly unknown[], change: (entry: unknown) => unknown): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [index, entry] of list.entries()) {
    const after = Array.isArray(entry) ? entry : change(entry);
    if (after === entry) continue;
    copy ??= [...list];
    copy[index] = after;
  }
  return copy ?? list;
}

/** The sent value plus the known values of members that the version does not read, so that a change of the rest keeps them. */
export function withUnread(branch: Branch, sent: unknown, known: unknown): unknown {
  if (!isObject(sent) || !isObject(known)) return sent;
  const names = new Map(Object.keys(sent).map((name) => [name.toLowerCase(), name]));
  const kept = Object.entries(known).flatMap(([name, value]): [string, unknown][] => {
    const lower = name.toLowerCase();
    if (branch.drops.has(lower)) return [[name, value]];
    const below = branch.below.get(lower);
    const own = names.get(lower);
    return below && own !== undefined ? [[own, withUnread(below, sent[own], value)]] : [];
  });
  return { ...sent, ...Object.fromEntries(kept) };
}
