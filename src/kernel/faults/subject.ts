import { globMatches } from './glob.ts';
import type { Direction, FaultMatch } from './rule.ts';

/** An inbound or outbound request. */
export interface FaultSubject {
  readonly direction: Direction;
  readonly service: string;
  readonly method: string;
  /** For inbound requests the path, for outbound ones the whole URL without its query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  /** Only rules with a method match: for a browser's preflight, which users do not expect to be counted. */
  readonly onlyByMethod?: boolean;
  /** Only rules whose path begins with this match: for paths that must work unless a rule names them. */
  readonly onlyByPath?: string;
}

export function matches(match: FaultMatch, subject: FaultSubject): boolean {
  if (match.direction !== subject.direction) return false;
  if (match.service !== undefined && match.service !== subject.service) return false;
  if (match.method === undefined ? subject.onlyByMethod === true : match.method !== subject.method) return false;
  if (subject.onlyByPath !== undefined && !match.path?.toLowerCase().startsWith(subject.onlyByPath)) return false;
  if (match.path !== undefined && !pathMatches(match.path, subject)) return false;
  return valuesMatch(match.query, subject.query) && valuesMatch(match.headers, subject.headers);
}

/** Matches the path as sent or decoded; for an outbound URL, a pattern with a leading slash is matched against its path. */
export function pathMatches(pattern: string, { direction, path }: Pick<FaultSubject, 'direction' | 'path'>): boolean {
  const meant = direction === 'outbound' && pattern.startsWith('/') ? (URL.parse(path)?.pathname ?? path) : path;
  if (globMatches(pattern, meant)) return true;
  if (!meant.includes('%')) return false;
  try {
    return globMatches(pattern, decodeURIComponent(meant));
  } catch {
    return false;
  }
}

function valuesMatch(
  wanted: Readonly<Record<string, string>> | undefined,
  given: Readonly<Record<string, unknown>> = {},
): boolean {
  if (wanted === undefined) return true;
  return Object.entries(wanted).every(([name, pattern]) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    return value !== undefined && [value].flat().some((each) => globMatches(pattern, String(each)));
  });
}
