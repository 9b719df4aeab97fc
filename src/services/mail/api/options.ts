import { errors } from '../errors.ts';
import type { RequestHead } from './request.ts';

const KNOWN: ReadonlySet<string> = new Set([
  '$count',
  '$deltatoken',
  '$expand',
  '$filter',
  '$format',
  '$orderby',
  '$search',
  '$select',
  '$skip',
  '$skiptoken',
  '$top',
]);

/**
 * Names with a dollar sign are reserved for OData. Without this check, a misspelled or unsupported option would silently have no effect.
 */
export function checkOptions({ method, query }: Pick<RequestHead, 'method' | 'query'>): void {
  if (method !== 'GET' && method !== 'HEAD') return;
  const unknown = Object.keys(query).find((name) => name.startsWith('$') && !KNOWN.has(name.toLowerCase()));
  if (unknown === undefined) return;
  const name = unknown.slice(0, 60);
  throw errors.ErrorInvalidUrlQuery({ reason: `The query parameter '${name}' is not supported.` }, { target: name });
}
