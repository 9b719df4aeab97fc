/** Resource ids: `/subscriptions/{guid}/resourceGroups/{group}/providers/{Namespace}/{type}/{name}` and the ids below them. */

export const CANONICAL_PREFIX = 'Vendor';

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isGuid = (value: string): boolean => GUID.test(value);

export interface ScopeParts {
  readonly subscriptionId: string | undefined;
  readonly resourceGroup: string | undefined;
  /** The last `/providers/` part, if any. */
  readonly provider:
    | { readonly namespace: string; readonly types: readonly string[]; readonly names: readonly string[] }
    | undefined;
}

/** Parses any scope or id; unknown parts are undefined. */
export function parseScope(path: string): ScopeParts {
  const segments = path.split('/').filter(Boolean);
  const subscriptionId = segments[0]?.toLowerCase() === 'subscriptions' ? segments[1] : undefined;
  const resourceGroup =
    subscriptionId !== undefined && segments[2]?.toLowerCase() === 'resourcegroups' ? segments[3] : undefined;
  const at = segments.findLastIndex((segment) => segment.toLowerCase() === 'providers');
  const namespace = at < 0 ? undefined : segments[at + 1];
  if (namespace === undefined) return { subscriptionId, resourceGroup, provider: undefined };
  const rest = segments.slice(at + 2);
  return {
    subscriptionId,
    resourceGroup,
    provider: { namespace, types: rest.filter((_, i) => i % 2 === 0), names: rest.filter((_, i) => i % 2 === 1) },
  };
}

/** `Microsoft.Foo` → `Vendor.Foo` for a configured alias; other names are unchanged. */
export function canonicalNamespace(namespace: string, aliases: readonly string[]): string {
  const dot = namespace.indexOf('.');
  if (dot < 0) return namespace;
  const prefix = namespace.slice(0, dot).toLowerCase();
  const known = prefix === CANONICAL_PREFIX.toLowerCase() || aliases.some((alias) => alias.toLowerCase() === prefix);
  return known ? CANONICAL_PREFIX + namespace.slice(dot) : namespace;
}

/** Key of an id in the store: one spelling for every casing and alias of the provider prefix. */
export const resourceKey = (id: string, aliases: readonly string[]): string => canonicalId(id, aliases).toLowerCase();

/** The form in which an id is stored: with the canonical provider prefix, otherwise as written. */
export const canonicalId = (id: string, aliases: readonly string[]): string =>
  id
    .split('/')
    .map((segment, i, all) =>
      all[i - 1]?.toLowerCase() === 'providers' ? canonicalNamespace(segment, aliases) : segment,
    )
    .join('/');

/** Like `canonicalId`, but keeps the casing of the prefix: `microsoft.foo` becomes `vendor.foo`. */
export const canonicalCasedId = (id: string, aliases: readonly string[]): string =>
  id
    .split('/')
    .map((segment, i, all) => {
      if (all[i - 1]?.toLowerCase() !== 'providers') return segment;
      const canonical = canonicalNamespace(segment, aliases);
      const isLower = /^[a-z]+\./.test(segment) && canonical.startsWith(`${CANONICAL_PREFIX}.`);
      return isLower ? canonical.replace(CANONICAL_PREFIX, CANONICAL_PREFIX.toLowerCase()) : canonical;
    })
    .join('/');

/** A request path as an id: decodes each segment, unless it contains an escaped slash. */
export function pathId(path: string): string {
  if (!path.includes('%')) return path;
  return path.split('/').map(plainSegment).join('/');
}

/**
 * The path of a call as an id. If the route begins with a scope, clients may send that as one segment with escaped slashes, so everything
 * is decoded.
 */
export function callPath({
  path,
  params,
}: {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
}): string {
  if (params.scope === undefined || !path.includes('%')) return pathId(path);
  return wholeId(decodeURIComponent(path));
}

/** Removes duplicate slashes and adds a leading one. */
export const wholeId = (id: string): string => `/${id.split('/').filter(Boolean).join('/')}`;

function plainSegment(segment: string): string {
  try {
    const plain = decodeURIComponent(segment);
    return plain.includes('/') ? segment : plain;
  } catch {
    return segment;
  }
}

export const subscriptionPath = (subscriptionId: string): string => `/subscriptions/${subscriptionId}`;
export const groupPath = (subscriptionId: string, group: string): string =>
  `/subscriptions/${subscriptionId}/resourceGroups/${group}`;

/** "West US" → `westus` */
export const normalLocation = (location: string): string => location.replaceAll(' ', '').toLowerCase();
