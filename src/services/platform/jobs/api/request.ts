import { isObject } from '../../../../kernel/values/index.ts';
import { errors } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';
import { malformed } from '../settings/rules.ts';

/** Parsing of requests of the jobs API. */

export type Version = '2.0' | '2.1' | '2.2';

/** The unversioned paths of the rate table use the newest version. */
export function versionOf({ path }: Pick<PlatformCall, 'path'>): Version {
  const [, version] = /^\/api\/(2\.[01])\//.exec(path) ?? [];
  return version === '2.0' || version === '2.1' ? version : '2.2';
}

/**
 * Maximum number of tasks of a job. Version 2.0 supports jobs with several tasks like 2.1, although it has its own form for a single task.
 */
export const MOST_TASKS: Readonly<Record<Version, number>> = { '2.0': 100, '2.1': 100, '2.2': 1000 };

/** The members of the body; an empty object if the request has no body. */
export function bodyOf({ body }: Pick<PlatformCall, 'body'>): Readonly<Record<string, unknown>> {
  if (body === undefined || body === null) return {};
  if (!isObject(body)) throw malformed('the body must be an object');
  return body;
}

/** An id, sent as a number or as a string of digits. */
export function idIn(members: Readonly<Record<string, unknown>>, field: string): string {
  const value = members[field];
  if (value === undefined || value === null || value === '')
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field });
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return String(value);
  if (typeof value === 'string' && /^\d{1,19}$/.test(value)) return value.replace(/^0+(?=\d)/, '');
  throw malformed(`the field '${field}' must be an integer`);
}

export const optionalId = (members: Readonly<Record<string, unknown>>, field: string): string | undefined =>
  members[field] === undefined || members[field] === null || members[field] === '' ? undefined : idIn(members, field);

/** `true` or `false` in a query or a body; false if it is missing. */
export function flagIn(members: Readonly<Record<string, unknown>>, field: string): boolean {
  const value = members[field];
  if (value === undefined || value === null || value === '' || value === false || value === 'false') return false;
  if (value === true || value === 'true') return true;
  throw malformed(`the field '${field}' must be a boolean`);
}
