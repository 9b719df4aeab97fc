import type { SentMessage } from '../kernel/delivery/index.ts';
import { isConsoleRead } from '../kernel/http/console-read.ts';
import type { Dropped, Finished } from '../kernel/http/server.ts';
import { REDACTED, redactUrl, SECRET_PARTS_HEADER, WHOLE_QUERY } from '../kernel/telemetry/redact.ts';
import { type NewEntry, REPEATS_HEADER } from '../kernel/telemetry/request-log.ts';
import { wallNow } from '../kernel/time/timers.ts';
import { detailsOf } from './request-details.ts';

/** Method of a message that is not sent over HTTP, but to a queue or a mail server. */
export const NON_HTTP_METHOD = 'SEND';

/** True for successful polling by programs and pages, for reads of the web console, and for CORS preflights. */
export function isQuiet({ call, answer }: Pick<Finished, 'call' | 'answer'>): boolean {
  if (answer.status >= 400) return false;
  return call.route.quiet === true || isConsoleRead(call) || (call.method === 'OPTIONS' && isPreflight(call));
}

/** Distinguishes a preflight from a handshake, which also uses OPTIONS. */
const isPreflight = ({ headers }: Finished['call']): boolean => headers['access-control-request-method'] !== undefined;

/** Requests of the jar to itself mark queries that are secret whatever their parameters are called. */
export function urlOf({ url, headers, route, params }: Finished['call']): string {
  const parts = headers[SECRET_PARTS_HEADER];
  const shown = typeof parts === 'string' && parts.includes(WHOLE_QUERY) ? (url.split('?', 1)[0] ?? url) : url;
  return inAscii(withoutPermission(shown, params, route.open ? PERMISSIONS : ALWAYS_SECRET));
}

/**
 * Node decodes each byte of an address as one character. Bytes that should have been percent-encoded are encoded here, because some control
 * terminals.
 */
const inAscii = (url: string): string =>
  url.replace(NOT_PLAIN, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
const NOT_PLAIN = /[^\x21-\x7e]/g;

/** The address as logged, with secrets redacted. */
export const shownUrl = (call: Finished['call']): string => redactUrl(urlOf(call));

/** Path parameters with which anybody acts for somebody else, whatever else the request needs. */
const ALWAYS_SECRET: readonly string[] = ['invitation_token'];

/**
 * Path parameters of open routes that are themselves a credential: signed links to files, results and upload sessions. Routes that need
 * another credential use the same names for ids, such as the receipts of requests for personal data.
 */
const PERMISSIONS: readonly string[] = [...ALWAYS_SECRET, 'token', 'link', 'session', 'activation_url'];

function withoutPermission(url: string, params: Finished['call']['params'], secrets: readonly string[]): string {
  let shown = url;
  for (const name of secrets) {
    const value = params[name];
    if (value === undefined || value === '') continue;
    const [path = '', ...query] = shown.split('?');
    const segments = path.split('/').map((segment) => (decoded(segment) === value ? REDACTED : segment));
    shown = [segments.join('/'), ...query].join('?');
  }
  return shown;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export interface Problem {
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
}

const NO_PROBLEM: Problem = {};

/** Code and reason of an error: from the thrown error, or from the answer's body if nothing was thrown, as with fault rules. */
export function problemOf({ answer, error }: Pick<Finished, 'answer' | 'error'>): Problem {
  if (error !== undefined) {
    const { code, name, message } = Object(error) as { code?: unknown; name?: unknown; message?: unknown };
    return { code: wordOf(code) ?? wordOf(name), reason: wordOf(message) };
  }
  if (answer.status < 400 || typeof answer.body !== 'object' || answer.body === null) return NO_PROBLEM;
  const { error: inner, code, error_code: other, message } = answer.body as Readonly<Record<string, unknown>>;
  if (typeof inner !== 'object' || inner === null) {
    return { code: wordOf(code) ?? wordOf(other) ?? wordOf(inner), reason: wordOf(message) };
  }
  const shown = inner as Readonly<Record<string, unknown>>;
  return { code: wordOf(shown.code), reason: wordOf(shown.message) };
}

export function finishedEntry(finished: Finished): NewEntry {
  const { answer, fault } = finished;
  const { code, reason } = answer.status < 400 ? NO_PROBLEM : problemOf(finished);
  return { ...received(finished), status: answer.status, code, reason, fault };
}

export function droppedEntry(dropped: Dropped): NewEntry {
  return {
    ...received(dropped),
    status: undefined,
    code: 'Dropped',
    reason: 'the connection ended without an answer',
    fault: dropped.fault,
  };
}

function received({ call, service, milliseconds }: Pick<Finished, 'call' | 'service' | 'milliseconds'>) {
  const { headers } = call;
  return {
    direction: 'inbound',
    at: call.receivedAt,
    systemAt: wallNow() - Math.round(milliseconds),
    service,
    operation: call.operation,
    method: call.method,
    url: urlOf(call),
    ms: rounded(milliseconds),
    requestBytes: numberOf(headers['content-length']),
    answerBytes: undefined,
    caller: call.caller?.name,
    requestId: call.requestId,
    clientRequestId: wordOf(headers['x-ms-client-request-id'] ?? headers['client-request-id']),
    traceparent: wordOf(headers.traceparent),
    delivery: undefined,
    repeats: wordOf(headers[REPEATS_HEADER]),
    details: () => detailsOf(call),
  } as const;
}

export function sentEntry({ service, policy, id, deliveries, address, method, bytes, attempt }: SentMessage): NewEntry {
  const { status, outcome, error } = attempt;
  const isFailed = outcome !== 'Succeeded';
  return {
    direction: 'outbound',
    at: attempt.at,
    systemAt: wallNow() - Math.round(attempt.ms),
    service,
    operation: undefined,
    method: method ?? NON_HTTP_METHOD,
    url: address,
    status,
    ms: attempt.ms,
    requestBytes: bytes,
    answerBytes: undefined,
    code: isFailed ? outcome : undefined,
    reason: isFailed ? error : undefined,
    fault: attempt.fault,
    caller: undefined,
    requestId: undefined,
    clientRequestId: undefined,
    traceparent: undefined,
    delivery: { id, deliveries, policy, attempt: attempt.number, outcome, nextAt: attempt.nextAt },
  };
}

export const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

const wordOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Invalid lengths were refused earlier, or belong to requests that could not be parsed. */
function numberOf(text: unknown): number | undefined {
  const number = typeof text === 'string' ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}
