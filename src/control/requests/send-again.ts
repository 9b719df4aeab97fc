import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { bearerToken, type Caller, TokenError } from '../../kernel/auth/index.ts';
import { nodeHttp, nodeHttps } from '../../kernel/http/index.ts';
import { uuid } from '../../kernel/ids/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import {
  REPEATS_HEADER,
  type RequestDetails,
  type RequestEntry,
  type RequestLog,
} from '../../kernel/telemetry/index.ts';
import { processTime } from '../../kernel/time/index.ts';
import { freshToken } from '../fresh-token.ts';
import { requestErrors } from './errors.ts';
import { idOf } from './ids.ts';

export interface SendAgain {
  readonly jar: Jar;
  readonly log: RequestLog;
  readonly entry: RequestEntry;
  readonly isFresh: boolean;
  readonly ca: string;
  /** Aborted when the client that asked for the repetition has left. */
  readonly signal: AbortSignal;
}

/** Sends a request again to the port that received it, with its original path, headers and body. */
export async function sendAgain({ jar, log, entry, isFresh, ca, signal }: SendAgain): Promise<object> {
  const id = idOf(log, entry.number);
  const details = repeatable(log, entry, id);
  const token = isFresh ? await tokenFor(jar, details, id) : undefined;
  const marker = `${id};${uuid()}`;
  const began = processTime();
  const request = openRequest(jar, ca, {
    method: entry.method,
    path: details.url,
    headers: headersOf(details, marker, token),
    isSecure: details.secure,
    signal,
  });
  const response = await exchange(request, details.body.content);
  const ms = Math.round((processTime() - began) * 10) / 10;
  const repetition = findRepetition(log, marker, entry.number);
  const header = response?.headers['x-ms-request-id'];
  const requestId = repetition?.requestId ?? (typeof header === 'string' ? header : undefined);
  return {
    ...(repetition && { id: idOf(log, repetition.number) }),
    ...(response && { status: response.statusCode ?? 0 }),
    ms,
    ...(requestId !== undefined && { requestId }),
  };
}

const UNREPEATABLE = {
  stream: 'its body was a stream, which is not kept',
  unread: 'the jar answered before it read the body',
  secret: 'its body is not kept',
} as const;

function repeatable(log: RequestLog, entry: RequestEntry, id: string): RequestDetails {
  const { direction, delivery } = entry;
  if (direction === 'outbound') throw requestErrors.OutboundEntry({ id, delivery: delivery?.id ?? '{id}' });
  const details = log.details(entry);
  const refuse = (reason: string): Error => requestErrors.NotRepeatable({ id, reason });
  if (typeof details !== 'object') throw refuse('its headers and its body are no longer kept');
  if (details.isSocket) throw refuse('it opened a WebSocket');
  if (details.headers.length === 0) throw refuse('the jar could not parse it');
  const { isCut, omitted, bytes } = details.body;
  if (isCut) throw refuse(`only the beginning of its body of ${bytes} bytes is kept`);
  if (omitted !== undefined) throw refuse(UNREPEATABLE[omitted]);
  return details;
}

/** Headers about the old connection, and about a repetition that this request may itself be. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  REPEATS_HEADER,
]);

function headersOf({ headers, body }: RequestDetails, marker: string, token: string | undefined): string[] {
  const sent: string[] = [];
  for (let n = 0; n < headers.length; n += 2) {
    const [name = '', value = ''] = headers.slice(n, n + 2);
    if (OF_THE_CONNECTION.has(name.toLowerCase())) continue;
    sent.push(name, token !== undefined && name.toLowerCase() === 'authorization' ? `Bearer ${token}` : value);
  }
  if (body.bytes !== undefined) sent.push('Content-Length', String(body.bytes));
  return [...sent, 'Connection', 'close', REPEATS_HEADER, marker];
}

/** A token for the same caller, whose old one may have expired. */
async function tokenFor(jar: Jar, { headers }: RequestDetails, id: string): Promise<string> {
  const refuse = (reason: string): Error => requestErrors.NoFreshToken({ id, reason }, { target: 'token' });
  const at = headers.findIndex((name, n) => n % 2 === 0 && name.toLowerCase() === 'authorization');
  const token = bearerToken({ headers: { authorization: at < 0 ? undefined : headers[at + 1] } });
  if (!token) throw refuse("it has no header 'Authorization: Bearer'");
  let caller: Caller;
  try {
    caller = await jar.tokens.callerOf(token);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw refuse('its bearer token is not an access token that this jar has issued');
  }
  return freshToken(jar, caller);
}

interface Repetition {
  readonly method: string;
  readonly path: string;
  readonly headers: string[];
  readonly isSecure: boolean;
  readonly signal: AbortSignal;
}

function openRequest({ config, addresses }: Jar, ca: string, repetition: Repetition): ClientRequest {
  const { isSecure, ...rest } = repetition;
  const options: RequestOptions = { ...rest, host: EVERYWHERE.get(config.host) ?? config.host, agent: false };
  if (!isSecure) return nodeHttp.request({ ...options, port: addresses.httpPort });
  // The certificate may be for the name that the client used; it is enough that the jar's own authority has issued it.
  return nodeHttps().request({ ...options, port: addresses.httpsPort, ca, checkServerIdentity: () => undefined });
}

/** Addresses that a server can listen on, but that no client can connect to on every system. */
const EVERYWHERE: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** Streams without an end are closed after this many bytes. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * Resolves when the whole answer has arrived, or the head of an answer without an end; undefined if the connection was closed without an
 * answer, as fault rules do.
 */
function exchange(request: ClientRequest, body: string | Buffer | undefined): Promise<IncomingMessage | undefined> {
  return new Promise((resolve) => {
    request
      .on('error', () => resolve(undefined))
      .once('response', (response) => {
        const finish = (): void => {
          resolve(response);
          response.destroy();
        };
        let bytes = 0;
        response.on('error', finish).on('close', finish).on('end', finish);
        if (/^text\/event-stream\b/i.test(response.headers['content-type'] ?? '')) return finish();
        response.on('data', (piece: Buffer) => {
          bytes += piece.length;
          if (bytes > MOST_ANSWER_BYTES) finish();
        });
      });
    request.end(body);
  });
}

/** Undefined for requests that are not listed, such as successful health checks. */
function findRepetition(log: RequestLog, marker: string, after: number): RequestEntry | undefined {
  for (let number = log.next - 1; number > after && number >= log.first; number--) {
    const entry = log.entry(number);
    if (entry?.repeats === marker) return entry;
  }
  return undefined;
}
