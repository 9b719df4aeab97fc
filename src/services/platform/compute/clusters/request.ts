import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { completeFields, type FieldRules, readFields } from '../../engine/fields.ts';
import { errors } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';

/** The declared fields of the body; those that are required are there. */
export const readRequest = ({ body }: Pick<PlatformCall, 'body'>, rules: FieldRules): JsonMembers =>
  completeFields(rules, readFields(rules, body ?? {}));

const CLUSTER_ID: FieldRules = { cluster_id: { type: 'string', required: true } };

/** The id of the cluster that a request is about. */
export const clusterIdIn = (call: Pick<PlatformCall, 'body'>): string =>
  String(readRequest(call, CLUSTER_ID).cluster_id);

/** A query parameter that has to be there, once. */
export function queryText({ query }: Pick<PlatformCall, 'query'>, name: string): string {
  const value = query[name];
  if (value === undefined || value === '') throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: name });
  if (typeof value !== 'string')
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The parameter '${name}' is given more than once.` });
  return value;
}

/** The values of a query parameter that may be repeated; clients also send one with commas. */
export function queryTexts({ query }: Pick<PlatformCall, 'query'>, name: string): readonly string[] {
  const value = query[name];
  const given = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return given.flatMap((each) => String(each).split(',')).filter((each) => each !== '');
}

/** The token of the page that a list is asked for; empty for the first one. */
export function tokenIn({ query }: Pick<PlatformCall, 'query'>): string {
  const value = query.page_token ?? '';
  if (typeof value === 'string') return value;
  throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'page_token' is given more than once." });
}
