// biome-ignore lint/suspicious/noExplicitAny: any JSON
export type Body = any;

/** The paths of all members of a JSON value (`properties.containers[].name`), without the entries of the maps in `maps`. */
export function fieldNames(value: Body, maps: readonly string[] = [], at = ''): Set<string> {
  const names = new Set<string>();
  if (Array.isArray(value)) {
    for (const entry of value) for (const name of fieldNames(entry, maps, `${at}[]`)) names.add(name);
  } else if (typeof value === 'object' && value !== null && !maps.includes(at)) {
    for (const [name, member] of Object.entries(value)) {
      const path = at === '' ? name : `${at}.${name}`;
      names.add(path);
      for (const below of fieldNames(member, maps, path)) names.add(below);
    }
  }
  return names;
}

/** The fields that appear or vanish with a version. */
export interface Milestone {
  readonly version: string;
  /** The version that it is compared with; default: the previous milestone. */
  readonly after?: string;
  readonly appeared?: readonly string[];
  readonly vanished?: readonly string[];
}

const isAtOrBelow = (name: string, field: string): boolean =>
  name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`);

/** For each version, the names that it shows according to the milestones. Fields that no milestone names are in every version. */
export function expectedNames(all: ReadonlySet<string>, milestones: readonly Milestone[]): Map<string, Set<string>> {
  const named = milestones.flatMap(({ appeared = [] }) => appeared);
  const has = new Map<string, readonly string[]>();
  let last = '';
  for (const { version, after = last, appeared = [], vanished = [] } of milestones) {
    has.set(version, [...(has.get(after) ?? []).filter((field) => !vanished.includes(field)), ...appeared]);
    last = version;
  }
  return new Map(
    [...has].map(([version, fields]) => [
      version,
      new Set([...all].filter((name) => named.every((field) => !isAtOrBelow(name, field) || fields.includes(field)))),
    ]),
  );
}
