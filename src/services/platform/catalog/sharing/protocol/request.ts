import { isObject, omitAbsent } from '../../../../../kernel/values/index.ts';
import type { PlatformCall } from '../../../jar.ts';
import { sharingErrors } from './errors.ts';

/** Parameters of a table query. Row predicates are hints, which a server may ignore; this server does. */
export interface TableQuery {
  readonly version?: number;
  readonly timestamp?: number;
  readonly startingVersion?: number;
  readonly endingVersion?: number;
  /** Further files are left out once the previous ones have this many rows. */
  readonly limitHint?: number;
}

const invalid = (reason: string) => sharingErrors.INVALID_PARAMETER_VALUE({ reason });

function whole(value: unknown, name: string): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  throw invalid(`${name} must be a whole number of at least 0.`);
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

function time(value: unknown, name: string): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const at = typeof value === 'string' && ISO.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw invalid(`${name} must be a time in UTC, such as 2022-01-01T00:00:00Z.`);
}

export function readQuery(body: unknown): TableQuery {
  if (body !== undefined && body !== null && !isObject(body))
    throw sharingErrors.MALFORMED_REQUEST({ reason: 'The body must be an object.' });
  const sent: Readonly<Record<string, unknown>> = isObject(body) ? body : {};
  const query = omitAbsent({
    version: whole(sent.version, 'version'),
    timestamp: time(sent.timestamp, 'timestamp'),
    startingVersion: whole(sent.startingVersion, 'startingVersion'),
    endingVersion: whole(sent.endingVersion, 'endingVersion'),
    limitHint: whole(sent.limitHint, 'limitHint'),
  });
  const asked = ['version', 'timestamp', 'startingVersion'].filter((name) => Object.hasOwn(query, name));
  if (asked.length > 1) throw invalid(`Please either provide ${asked.join(' or ')}, not both.`);
  return query;
}

/** The range of versions of a change query. */
export interface ChangesQuery {
  readonly startingVersion?: number;
  readonly startingTimestamp?: number;
  readonly endingVersion?: number;
  readonly endingTimestamp?: number;
}

export function readChanges({ query }: Pick<PlatformCall, 'query'>): ChangesQuery {
  const asked = omitAbsent({
    startingVersion: whole(query.startingVersion, 'startingVersion'),
    startingTimestamp: time(query.startingTimestamp, 'startingTimestamp'),
    endingVersion: whole(query.endingVersion, 'endingVersion'),
    endingTimestamp: time(query.endingTimestamp, 'endingTimestamp'),
  });
  if ((asked.startingVersion === undefined) === (asked.startingTimestamp === undefined))
    throw invalid('Exactly one of startingVersion and startingTimestamp is required.');
  if (asked.endingVersion !== undefined && asked.endingTimestamp !== undefined)
    throw invalid('At most one of endingVersion and endingTimestamp may be given.');
  return asked;
}

/** A time from a query parameter. */
export const timeIn = ({ query }: Pick<PlatformCall, 'query'>, name: string): number | undefined =>
  time(query[name], name);

export const numberIn = ({ query }: Pick<PlatformCall, 'query'>, name: string): number | undefined =>
  whole(query[name], name);
