import { isList, isObject, type Json, type JsonMembers } from '../../../../kernel/values/index.ts';

/** Attributes that map names to texts: the rest of a path below them is one name, including full stops. */
const MAPS: ReadonlySet<string> = new Set(['spark_conf', 'spark_env_vars', 'custom_tags']);

/** `init_scripts.*.workspace.destination` has four segments, `spark_conf.spark.master` two. */
export function segmentsOf(path: string): readonly string[] {
  const [root = '', ...rest] = path.split('.');
  return MAPS.has(root) && rest.length > 0 ? [root, rest.join('.')] : [root, ...rest];
}

export interface Found {
  readonly path: string;
  readonly value: Json;
}

/** Every value at a path; `*` matches every element of a list. */
export function valuesAt(attributes: JsonMembers, path: string): readonly Found[] {
  let level: readonly { readonly names: readonly string[]; readonly value: Json }[] = [
    { names: [], value: attributes },
  ];
  for (const segment of segmentsOf(path)) {
    level = level.flatMap(({ names, value }) =>
      membersOf(value, segment).map(([name, member]) => ({ names: [...names, name], value: member })),
    );
  }
  return level.map(({ names, value }) => ({ path: names.join('.'), value }));
}

function membersOf(value: Json, segment: string): readonly (readonly [string, Json])[] {
  if (isList(value)) {
    if (segment === '*') return value.map((each, index) => [String(index), each] as const);
    const each = /^\d+$/.test(segment) ? value[Number(segment)] : undefined;
    return each === undefined || each === null ? [] : [[segment, each]];
  }
  if (!isObject(value) || !Object.hasOwn(value, segment)) return [];
  const member = (value as JsonMembers)[segment];
  return member === undefined || member === null ? [] : [[segment, member]];
}

/** Sets the value at the path. A path with `*` that matches nothing changes nothing. */
export const withValue = (attributes: JsonMembers, path: string, value: Json): JsonMembers =>
  put(attributes, segmentsOf(path), value) as JsonMembers;

/** An index beyond the end of a list appends, so that a path adds at most one element. */
function put(whole: Json | undefined, [name, ...rest]: readonly string[], value: Json): Json {
  if (name === undefined) return value;
  if (name === '*') return isList(whole) ? whole.map((each) => put(each, rest, value)) : (whole ?? []);
  if (isList(whole) || (whole === undefined && /^\d+$/.test(name))) {
    const list = isList(whole) ? [...whole] : [];
    const index = Math.min(Number(name), list.length);
    list[index] = put(list[index], rest, value);
    return list;
  }
  const members: JsonMembers = isObject(whole) ? (whole as JsonMembers) : {};
  return { ...members, [name]: put(members[name], rest, value) };
}

/** Removes the values at the path. */
export const withoutValue = (attributes: JsonMembers, path: string): JsonMembers =>
  drop(attributes, segmentsOf(path)) as JsonMembers;

function drop(whole: Json, [name, ...rest]: readonly string[]): Json {
  if (name === undefined) return whole;
  if (isList(whole)) {
    const index = Number(name);
    if (rest.length === 0) return whole.filter((_, each) => name !== '*' && each !== index);
    return whole.map((each, at) => (name === '*' || at === index ? drop(each, rest) : each));
  }
  if (!isObject(whole) || !Object.hasOwn(whole, name)) return whole;
  const { [name]: member, ...others } = whole as JsonMembers;
  return rest.length === 0 || member === undefined ? others : { ...others, [name]: drop(member, rest) };
}
