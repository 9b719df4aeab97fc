import type { IncomingHttpHeaders } from 'node:http';
import type { OutboundAnswer } from '../outbound/client.ts';
import { asOutboundError } from '../outbound/errors.ts';
import { redactUrl } from '../telemetry/log.ts';
import type { Outcome, Reply } from './policy.ts';

/** Number of bytes kept of a receiver's response. */
export const RESPONSE_KEPT_BYTES = 1024;
const ERROR_KEPT = 500;
const HEADER_KEPT = 200;

const OF_INTEREST = ['content-type', 'location', 'retry-after', 'server', 'x-request-id', 'x-ms-request-id'] as const;

const BY_STATUS: Readonly<Record<number, Outcome>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'TimedOut',
  410: 'Gone',
  413: 'PayloadTooLarge',
  429: 'Busy',
  503: 'Busy',
};

export function outcomeOf(status: number): Outcome {
  const named = BY_STATUS[status];
  if (named !== undefined) return named;
  if (status >= 500) return 'ServerError';
  if (status >= 400) return 'ClientError';
  return status >= 300 ? 'Redirected' : 'Succeeded';
}

export function replyOf({ status, headers, body }: OutboundAnswer, kept: readonly string[] = []): Reply {
  const text = body.length === 0 ? '' : body.subarray(0, RESPONSE_KEPT_BYTES).toString('utf8');
  return { status, outcome: outcomeOf(status), headers: headersOfInterest(headers, kept), body: text };
}

export function failureOf(error: unknown): Reply {
  const { failure, message } = asOutboundError(error);
  return { outcome: failure, error: message.slice(0, ERROR_KEPT), headers: {}, body: '' };
}

function headersOfInterest(headers: IncomingHttpHeaders, further: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of further.length === 0 ? OF_INTEREST : [...OF_INTEREST, ...further]) {
    const value = headers[name];
    if (value === undefined) continue;
    const text = String(value).slice(0, HEADER_KEPT);
    kept[name] = name === 'location' ? redactUrl(text) : text;
  }
  return kept;
}
