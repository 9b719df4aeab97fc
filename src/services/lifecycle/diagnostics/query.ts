import { Type } from 'typebox';
import { decodeSkipToken, encodeSkipToken, nextLink } from '../../../kernel/http/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { allOf, atLeast, atMost, eq, type Filter, type Position } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import { readTime } from '../read-time.ts';

/** Query parameters of the diagnostics lists. */

const DEFAULT_TOP = 30;
const MOST_AT_ONCE = 2000;

export const Instant = Type.String({ maxLength: 64 });
export const ErrorType = Type.Enum(['all', 'unhandledError', 'handledError']);
/** For queries in which both types together make no sense. */
export const OneErrorType = Type.Enum(['unhandledError', 'handledError']);
/** The default error type, as in the real service. */
export const DEFAULT_KIND = 'handledError';

export const WINDOW = { start: Instant, end: Type.Optional(Instant) };
export const BUILD = { version: Type.Optional(Type.String()), app_build: Type.Optional(Type.String()) };
export const TOP = { $top: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_AT_ONCE })) };
export const PAGE = { ...TOP, $skiptoken: Type.Optional(Type.String()) };

/** Zero means as many as allowed. */
export const topOf = ({ $top = DEFAULT_TOP }: { readonly $top?: number | undefined }): number =>
  $top === 0 ? MOST_AT_ONCE : $top;

/** Parses a time from a query to the service's time format. */
export const instantOf = (name: string, value: string): string => new Date(readTime(name, value)).toISOString();

export interface Window {
  readonly start: string;
  readonly end: string;
}

/** The end defaults to now. */
export function windowOf({
  query,
  jar,
}: {
  readonly query: { readonly start: string; readonly end?: string | undefined };
  readonly jar: Call['jar'];
}): Window {
  const start = instantOf('start', query.start);
  const end = query.end === undefined ? new Date(jar.clock.now()).toISOString() : instantOf('end', query.end);
  if (end < start) throw errors.BadRequest({ reason: "The 'end' must not be before the 'start'." }, { target: 'end' });
  return { start, end };
}

/** Returns undefined if no value is given. */
export const eqIfGiven = (field: string, value: string | undefined): Filter | undefined =>
  value === undefined || value === '' ? undefined : eq(field, value);

export const ofKind = (errorType: string | undefined): Filter | undefined =>
  errorType === 'all' ? undefined : eqIfGiven('kind', errorType);

export const during = (field: string, { start, end }: Window): Filter =>
  allOf(atLeast(field, start), atMost(field, end));

/** The position at which the previous page ended. A token is valid only for the same query. */
export function placeOf(call: Call, question: unknown, token: string | undefined): Position | undefined {
  if (token === undefined) return undefined;
  const place = decodeSkipToken(call.jar.vault, JSON.stringify(question), token);
  if (place) return place;
  throw errors.BadRequest({ reason: "The '$skiptoken' is not valid for this list." }, { target: '$skiptoken' });
}

export const nextOf = (call: Call, question: unknown, next: Position | undefined) =>
  next && { nextLink: nextLink(call, encodeSkipToken(call.jar.vault, JSON.stringify(question), next)) };
