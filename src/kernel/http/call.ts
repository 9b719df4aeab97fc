import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../auth/caller.ts';
import { uuid } from '../ids/index.ts';
import type { HttpJar } from './jar.ts';
import { parseQuery } from './query-string.ts';
import type { Call, Method, Route } from './route.ts';

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i;

/** Clients may send their own correlation id; it is replaced if it is not a short printable word. */
const CORRELATION = /^[\w.:-]{1,128}$/;

/** RFC 9112, 3.2.2: a server must accept the absolute form too, which clients with a proxy setting send. */
export const originForm = (url: string): string =>
  url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '') || '/';

/** The request as handlers see it. Members that are rarely needed are computed on demand. */
export class RequestCall implements Call {
  readonly jar: HttpJar;
  readonly route: Route;
  readonly method: Method;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId = uuid();
  readonly receivedAt: number;
  readonly responseHeaders: Record<string, string> = {};
  readonly facts = {};
  operation: string;
  logged: Call['logged'];
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  caller: Caller | undefined;
  /** The body as received, before it was parsed; undefined if there is none, or if it was not read. */
  received: Buffer | 'stream' | undefined;
  readonly #request: IncomingMessage;
  /** Kept here, because a request whose body was not read completely loses its socket. */
  readonly #socket: IncomingMessage['socket'];
  readonly #response: ServerResponse;
  #correlationId: string | undefined;
  #origin: string | undefined;
  #path: string | undefined;
  #abort: AbortController | undefined;

  constructor(
    jar: HttpJar,
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    params: Readonly<Record<string, string>>,
  ) {
    this.jar = jar;
    this.#request = request;
    this.#socket = request.socket;
    this.#response = response;
    this.route = route;
    this.operation = route.operation;
    this.logged = undefined;
    this.params = params;
    this.method = request.method as Method;
    this.query = queryOf(request.url ?? '/');
    this.body = undefined;
    this.receivedAt = jar.clock.now();
    this.caller = undefined;
    this.received = undefined;
  }

  get headers(): Call['headers'] {
    return this.#request.headers;
  }

  /** Names and values in turns, as sent. */
  get rawHeaders(): readonly string[] {
    return this.#request.rawHeaders;
  }

  get url(): string {
    return originForm(this.#request.url ?? '/');
  }

  get path(): string {
    if (this.#path === undefined) {
      const question = this.url.indexOf('?');
      const path = question < 0 ? this.url : this.url.slice(0, question);
      this.#path =
        path.includes('//') || (path.length > 1 && path.endsWith('/'))
          ? `/${path.split('/').filter(Boolean).join('/')}`
          : path;
    }
    return this.#path;
  }

  get remoteAddress(): string {
    return this.#socket.remoteAddress ?? '';
  }

  get correlationId(): string {
    if (this.#correlationId === undefined) {
      const sent = this.headers['x-ms-correlation-request-id'];
      this.#correlationId = typeof sent === 'string' && CORRELATION.test(sent) ? sent : this.requestId;
    }
    return this.#correlationId;
  }

  get secure(): boolean {
    const socket = this.#socket;
    return 'encrypted' in socket && socket.encrypted === true;
  }

  get origin(): string {
    if (this.#origin === undefined) {
      const { headers } = this.#request;
      const scheme = this.secure ? 'https' : 'http';
      const host =
        headers.host !== undefined && HOST.test(headers.host) ? headers.host : `localhost:${this.#socket.localPort}`;
      this.#origin = `${scheme}://${host.toLowerCase()}`;
    }
    return this.#origin;
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController();
      if (this.#response.closed) abort.abort();
      else this.#response.once('close', () => abort.abort());
      this.#abort = abort;
    }
    return this.#abort.signal;
  }
}

/** The number of parameters is limited only by the size of the request's head. */
function queryOf(url: string): Record<string, unknown> {
  const question = url.indexOf('?');
  return parseQuery(question < 0 ? '' : url.slice(question + 1));
}
