import { codeOf } from '../http/code-of.ts';
import { ApiError } from '../http/errors.ts';
import type { ApiFamily } from '../http/family.ts';
import { nodeHttp } from '../http/node-http.ts';
import type { Answer, Call } from '../http/route.ts';
import { bodyOfEffect, DEFAULT_RETRY_AFTER, type FaultEffect, headersOfStatus } from './effect.ts';

const THROTTLED = `Too many requests; try again in ${DEFAULT_RETRY_AFTER} second.`;

/** The simulated response of an effect, if it has one: in the error format of the API, unless the rule specifies a body. */
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
    status === 429 ? THROTTLED : `Simulated fault: ${status} ${nodeHttp.STATUS_CODES[status] ?? 'Unknown'}.`;
  const error = new ApiError(status, codeOf(family, status), message, { headers: headersOfStatus(status) });
  return withHeaders(family.renderError(error, call), { ...error.headers, ...headers });
}

const withHeaders = (answer: Answer, headers: FaultEffect['headers']): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});
