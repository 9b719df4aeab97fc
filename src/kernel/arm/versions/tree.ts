import { isObject } from '../../values/objects.ts';

/** Members to be left out of a JSON value, as a tree, so that a value is walked only where something may have to go. */
export interface Branch {
  readonly drops: ReadonlySet<string>;
  readonly below: ReadonlyMap<string, Branch>;
  /** Words of a member that are written in another way. */
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
 * The tree of paths such as `properties.containers[].properties.zones`. A list is gone through entry by entry wherever there is one, so
 * that the brackets are for readers alone. Absent where there is nothing to leave out.
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

/** The value as a version shows it. What nothing is left out of is not copied. */
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

/** The value as a version reads it: names compare without regard to case, as they do for every reader. The tree has them in lower case. */
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
  // fromEntries defines members, so that `__proto__` is a name like any other.
  return changed ? Object.fromEntries(entries) : value;
}

/** Lists in lists are no fields of anybody, and a client could send them deeper than the stack is. */
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

/** What was sent, with what is known of the members that the version does not read: a change of the rest leaves them as they are. */
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
