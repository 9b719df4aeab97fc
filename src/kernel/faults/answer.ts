import { ApiError } from '../http/errors.ts';
import type { ApiFamily } from '../http/family.ts';
import { nodeHttp } from '../http/node-http.ts';
import type { Answer, Call } from '../http/route.ts';
import { bodyOfEffect, DEFAULT_RETRY_AFTER, type FaultEffect, headersOfStatus } from './effect.ts';

const THROTTLED = `Too many requests; try again in ${DEFAULT_RETRY_AFTER} second.`;

/** The answer of an effect in place of the real one, if it has one: in the shape of the API that was asked, unless the rule gives the body. */
export function answerOf(effect: FaultEffect, family: ApiFamily, call: Call): Answer | undefined {
  if (effect.throttledAs500) {
    const text = `${codeOf(family, 429)}: ${THROTTLED}`;
    return withHeaders(family.renderError(new ApiError(500, codeOf(family, 500), text), call), effect.headers);
  }
  const { status, headers } = effect;
  if (status === undefined) return undefined;
  const wire = bodyOfEffect(effect);
  if (wire) {
    const own = { ...headersOfStatus(status), 'content-type': wire.contentType, ...headers };
    return { status, headers: own, body: wire.payload };
  }
  if (status < 400) return { status, headers };
  const message =
    status === 429 ? THROTTLED : `A fault was ordered: ${status} ${nodeHttp.STATUS_CODES[status] ?? 'Unknown'}.`;
  const error = new ApiError(status, codeOf(family, status), message, { headers: headersOfStatus(status) });
  return withHeaders(family.renderError(error, call), { ...error.headers, ...headers });
}

const withHeaders = (answer: Answer, headers: FaultEffect['headers']): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

/** The family's own word for a status where it has one; else the name of the status in the way the family writes its words. */
function codeOf(family: ApiFamily, status: number): string {
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
