import { Sent } from '../../engine/sent.ts';

/** Nested objects in a query, whose names are joined by full stops: `object_info.table.name`. */

const LEAVES: readonly (readonly [member: string, leaf: string])[] = [
  ['table', 'name'],
  ['volume', 'name'],
  ['external_metadata', 'name'],
  ['model_version', 'name'],
  ['model_version', 'version'],
  ['path', 'url'],
];

type Query = Readonly<Record<string, unknown>>;

/** The lineage object in the parameters with this prefix. */
export function objectIn(query: Query, prefix: string): Readonly<Record<string, object>> {
  const found: Record<string, Record<string, string>> = {};
  for (const [member, leaf] of LEAVES) {
    const value = query[`${prefix}.${member}.${leaf}`];
    if (typeof value === 'string' && value !== '') found[member] = { ...found[member], [leaf]: value };
  }
  return found;
}

export const sentObject = (query: Query, prefix: string): Sent => new Sent(objectIn(query, prefix), prefix);
