import { editDistance, typosAllowed } from '../config/index.ts';

/** A service with the path prefixes of its routes. */
export interface Claimant {
  readonly name: string;
  readonly apis?: readonly Claims[];
}

interface Claims {
  readonly mounts: readonly string[];
  readonly claims?: readonly string[];
}

/** Tests by the path only whether a service may have a route for it. */
export interface Claim {
  /** `path` is as sent, without the query. */
  takes(path: string): boolean;
  /** Source of a regular expression, so that claims can be combined. */
  readonly source: string;
}

const PROVIDERS = '/providers/vendor.';

/**
 * Combines a service's mounts, claims and part of the control API into one expression, which is tested with every request until the service
 * is open.
 */
export function claimOf(service: Claimant & Claims, aliases: readonly string[]): Claim {
  const apis = [service, ...(service.apis ?? [])];
  const prefixes = apis.flatMap(({ mounts, claims = [] }) => [...mounts, ...claims]);
  const sources = [...prefixes, `/_jar/${service.name}`].map((prefix) => sourceOf(prefix, aliases));
  return claimBy(sources.join('|'));
}

/** Tests several claims with one expression: a test per service would take a fiftieth of the time of a small GET. */
export const anyOf = (claims: readonly Claim[]): Claim => claimBy(claims.map(({ source }) => source).join('|'));

function claimBy(source: string): Claim {
  const expression = new RegExp(source, 'i');
  return { source, takes: (path) => expression.test(singleSlashes(path.includes('%') ? decoded(path) : path)) };
}

/** A provider namespace may follow any scope; every other prefix is at the beginning of the path. */
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

/** Collapses repeated slashes. The expressions do not use `/+`, because thousands of slashes would be scanned again from each of them. */
const singleSlashes = (path: string): string => (path.includes('//') ? path.replace(/\/{2,}/g, '/') : path);

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A path that matches a template, for checking that the route is within the declared prefixes of its service. */
export const sampleOf = (template: string): string => template.replace(/\{\w+\*?\}/g, 'x');

/**
 * Whether a mistyped path may be meant for a service: it is similar to one of the service's mounts or claims, with or without their first
 * segment, or contains a name similar to its provider's.
 */
export function isNear(service: Claimant & Claims, path: string): boolean {
  const words = path.toLowerCase().split('/', MOST_WORDS).filter(Boolean);
  const prefixes = [service, ...(service.apis ?? [])].flatMap(({ mounts, claims = [] }) => [...mounts, ...claims]);
  return prefixes.some((prefix) => {
    const lower = prefix.toLowerCase();
    if (lower.startsWith(PROVIDERS)) return words.some((word) => isNearName(word, lower.slice(PROVIDERS.length)));
    const texts = lower.split('/').filter(Boolean);
    return beginsLike(words, texts) || (texts.length > 1 && beginsLike(words, texts.slice(1)));
  });
}

/** Mounts, and scopes before a provider, have fewer segments. */
const MOST_WORDS = 20;

const beginsLike = (words: readonly string[], texts: readonly string[]): boolean =>
  texts.length > 0 &&
  texts.every((text, at) => {
    const word = words[at];
    return (
      word !== undefined &&
      (text.startsWith('{') || editDistance(word, text, typosAllowed(text) + 1) <= typosAllowed(text))
    );
  });

/** Compares the name after the prefix: `microsoft.eventgrd` is similar to `eventgrid`. */
function isNearName(word: string, name: string): boolean {
  const dot = word.indexOf('.');
  return dot > 0 && editDistance(word.slice(dot + 1), name, typosAllowed(name) + 1) <= typosAllowed(name);
}
