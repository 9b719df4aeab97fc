import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { completeFields, type FieldRules, readFields } from '../../engine/fields.ts';
import { errors } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';

/** Validates the declared fields of the body; all required ones are present. */
export const readRequest = ({ body }: Pick<PlatformCall, 'body'>, rules: FieldRules): JsonMembers =>
  completeFields(rules, readFields(rules, body ?? {}));

const CLUSTER_ID: FieldRules = { cluster_id: { type: 'string', required: true } };

/** The id of the cluster in a request. */
export const clusterIdIn = (call: Pick<PlatformCall, 'body'>): string =>
  String(readRequest(call, CLUSTER_ID).cluster_id);

/** A required query parameter, which must occur once. */
export function queryText({ query }: Pick<PlatformCall, 'query'>, name: string): string {
  const value = query[name];
  if (value === undefined || value === '') throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: name });
  if (typeof value !== 'string')
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The parameter '${name}' is given more than once.` });
  return value;
}

/** The values of a repeatable query parameter; some clients send one value with commas instead. */
export function queryTexts({ query }: Pick<PlatformCall, 'query'>, name: string): readonly string[] {
  const value = query[name];
  const given = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return given.flatMap((each) => String(each).split(',')).filter((each) => each !== '');
}

/** The requested page token; empty for the first page. */
export function tokenIn({ query }: Pick<PlatformCall, 'query'>): string {
  const value = query.page_token ?? '';
  if (typeof value === 'string') return value;
  throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'page_token' is given more than once." });
}
