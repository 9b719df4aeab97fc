import { isList, isObject, type JsonMembers } from '../../../kernel/values/index.ts';
import type { PlatformCall } from '../jar.ts';
import { type AttributePath, attributePath } from './filter.ts';

/** The attributes of a resource that `attributes` and `excludedAttributes` select. */
export interface Projection {
  /** Returns true if the response includes at least a part of an attribute. Attributes that are not selected are not read. */
  includes(attribute: string): boolean;
  of(resource: JsonMembers): JsonMembers;
}

/** Part of every response, whatever is selected. */
const ALWAYS: ReadonlySet<string> = new Set(['id', 'schemas']);

function pathsIn(value: unknown): readonly AttributePath[] {
  const texts = Array.isArray(value) ? value : [value];
  return texts
    .flatMap((text) => (typeof text === 'string' ? text.split(',') : []))
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => attributePath(name));
}

export function projectionOf({ query }: Pick<PlatformCall, 'query'>): Projection {
  const wanted = byAttribute(pathsIn(query.attributes));
  const unwanted = byAttribute(pathsIn(query.excludedAttributes));
  if (wanted.size > 0) {
    return {
      includes: (name) => ALWAYS.has(name) || wanted.has(name.toLowerCase()),
      of: (resource) => chosen(resource, wanted),
    };
  }
  return {
    includes: (name) => ALWAYS.has(name) || unwanted.get(name.toLowerCase()) !== 'whole',
    of: (resource) => (unwanted.size === 0 ? resource : left(resource, unwanted)),
  };
}

type Chosen = ReadonlyMap<string, 'whole' | ReadonlySet<string>>;

function byAttribute(paths: readonly AttributePath[]): Chosen {
  const all = new Map<string, 'whole' | Set<string>>();
  for (const { attribute, sub } of paths) {
    const known = all.get(attribute);
    if (sub === undefined || known === 'whole') all.set(attribute, 'whole');
    else if (known) known.add(sub);
    else all.set(attribute, new Set([sub]));
  }
  return all;
}

function chosen(resource: JsonMembers, wanted: Chosen): JsonMembers {
  const result: Record<string, JsonMembers[string]> = {};
  for (const [name, value] of Object.entries(resource)) {
    const part = ALWAYS.has(name) ? 'whole' : wanted.get(name.toLowerCase());
    if (part === 'whole') result[name] = value;
    else if (part) result[name] = narrowed(value, (sub) => part.has(sub.toLowerCase()));
  }
  return result;
}

function left(resource: JsonMembers, unwanted: Chosen): JsonMembers {
  const result: Record<string, JsonMembers[string]> = {};
  for (const [name, value] of Object.entries(resource)) {
    const part = ALWAYS.has(name) ? undefined : unwanted.get(name.toLowerCase());
    if (part === undefined) result[name] = value;
    else if (part !== 'whole') result[name] = narrowed(value, (sub) => !part.has(sub.toLowerCase()));
  }
  return result;
}

function narrowed(value: JsonMembers[string], keeps: (sub: string) => boolean): JsonMembers[string] {
  if (isList(value)) return value.map((each) => narrowed(each, keeps) as NonNullable<typeof each>);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([sub]) => keeps(sub))) as JsonMembers;
}
