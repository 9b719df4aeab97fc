import type { Resource } from './collections.ts';

/** Ids and types are stored with the canonical provider prefix and shown with the prefix that the caller uses. */
export function withPrefix(text: string, prefix: string): string {
  return prefix === 'Vendor' ? text : text.replace(/(^|\/providers\/)Vendor\./g, `$1${prefix}.`);
}

/** Like `withPrefix`, for ids that are stored in the casing in which they were written. */
export const withCasedPrefix = (id: string, prefix: string): string =>
  withPrefix(id, prefix).replace(/\/providers\/vendor\./g, `/providers/${prefix.toLowerCase()}.`);

/** The default representation of a resource. */
export function resourceView(it: Resource, prefix: string): Record<string, unknown> {
  return {
    id: withPrefix(it.id, prefix),
    name: it.name,
    type: withPrefix(it.type, prefix),
    ...(it.location !== undefined && { location: it.location }),
    tags: it.tags,
    ...it.extra,
    properties: it.properties,
  };
}
