import type { ApiFamily } from './family.ts';
import { nodeHttp } from './node-http.ts';

/** The family's code for a status if it has one; otherwise the name of the status, in the spelling of the family's codes. */
export function codeOf(family: ApiFamily, status: number): string {
  const { codes, statusCodes } = family;
  const known: Readonly<Record<number, string>> = {
    404: codes.notFound,
    405: codes.methodNotAllowed,
    412: codes.preconditionFailed,
    413: codes.bodyTooLarge,
    415: codes.unsupportedMediaType,
    500: codes.internal,
    503: codes.unavailable,
  };
  const words = (nodeHttp.STATUS_CODES[status] ?? `Status ${status}`).replace(/[^A-Za-z0-9 ]/g, '').split(' ');
  return statusCodes?.[status] ?? known[status] ?? inTheWayOf(codes.internal, words);
}

function inTheWayOf(example: string, words: readonly string[]): string {
  if (/^[a-z_]+$/.test(example)) return words.join('_').toLowerCase();
  if (/^[A-Z_]+$/.test(example)) return words.join('_').toUpperCase();
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[a-z]/.test(example) ? joined.charAt(0).toLowerCase() + joined.slice(1) : joined;
}
