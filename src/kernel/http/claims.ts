/** Where the routes of a service may lie. */
export interface Claimant {
  readonly name: string;
  readonly apis?: readonly Claims[];
}

interface Claims {
  readonly mounts: readonly string[];
  readonly claims?: readonly string[];
}

/** Tells by a path alone whether a service may have a route for it. */
export interface Claim {
  /** `path` is as sent, without the query. */
  takes(path: string): boolean;
  /** Of a regular expression, so that claims can be asked together. */
  readonly source: string;
}

const PROVIDERS = '/providers/vendor.';

/**
 * Mounts, claims and the part of the control API of a service as one expression: it is asked with every request until the service
 * is open.
 */
export function claimOf(service: Claimant & Claims, aliases: readonly string[]): Claim {
  const apis = [service, ...(service.apis ?? [])];
  const prefixes = apis.flatMap(({ mounts, claims = [] }) => [...mounts, ...claims]);
  const sources = [...prefixes, `/_jar/${service.name}`].map((prefix) => sourceOf(prefix, aliases));
  return claimBy(sources.join('|'));
}

/** Takes what one of them takes, in one look: with a service a look, the look would be a fiftieth of the time of a small GET. */
export const anyOf = (claims: readonly Claim[]): Claim => claimBy(claims.map(({ source }) => source).join('|'));

function claimBy(source: string): Claim {
  const expression = new RegExp(source, 'i');
  return { source, takes: (path) => expression.test(singleSlashes(path.includes('%') ? decoded(path) : path)) };
}

/** A provider namespace is found behind any scope, everything else at the beginning of the path. */
function sourceOf(prefix: string, aliases: readonly string[]): string {
  if (prefix.toLowerCase().startsWith(PROVIDERS)) {
    const names = ['vendor', ...aliases].map(escaped).join('|');
    return `/providers/(?:${names})\\.${escaped(prefix.slice(PROVIDERS.length))}(?=$|/)`;
  }
  const segments = prefix
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => (/^\{\w+\}$/.test(segment) ? '[^/]+' : escaped(segment)));
  return `^/${segments.join('/')}(?=$|[/(])`;
}

/** `//` counts as one slash. Not by `/+` in the expressions: thousands of slashes would be walked anew from each of them. */
const singleSlashes = (path: string): string => (path.includes('//') ? path.replace(/\/{2,}/g, '/') : path);

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A path that a template stands for, to see whether its route lies where the service says that its routes lie. */
export const sampleOf = (template: string): string => template.replace(/\{\w+\*?\}/g, 'x');
