import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher } from 'undici';
import { isSecretName, SECRET_PARTS_HEADER } from '../telemetry/redact.ts';
import { after, processTime } from '../time/timers.ts';
import type { Calls } from './calls.ts';
import { asOutboundError, OutboundError } from './errors.ts';
import { type GuardOptions, OutboundGuard } from './guard.ts';
import { Opening } from './opening.ts';

export interface OutboundRequest {
  readonly url: string | URL;
  readonly method?: Dispatcher.HttpMethod;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers whose values are secret although their names do not suggest it; `?` if the whole query is secret. */
  readonly secretParts?: readonly string[];
  readonly body?: string | Uint8Array;
  /** In real time, from name resolution to the last byte of the response. */
  readonly timeoutMs?: number;
  /** Longer bodies are truncated, and the connection is closed, because the rest might never end. */
  readonly maxBodyBytes?: number;
  /** Allows plain http to any receiver, even if the guard would not. */
  readonly plainHttp?: boolean;
  /** Skips certificate validation, as the owner of the receiver has asked. */
  readonly anyCertificate?: boolean;
  /** The address was configured by the operator of the jar, not by a user, so the guard does not check it. */
  readonly trusted?: boolean;
  /** The maximum number of redirects to follow, each checked like the first address; default 0. */
  readonly redirects?: number;
  /** The group that can cancel this request. */
  readonly calls?: Calls;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** True if the body was longer than `maxBodyBytes`. */
  readonly truncated: boolean;
}

export interface OutboundOptions extends GuardOptions {
  /** Returns the certificate of the jar's own authority. */
  readonly authority: () => Promise<string>;
}

const TIMEOUT_MS = 30_000;
const MAX_BODY_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const CONNECTIONS_PER_ORIGIN = 128;
/**
 * The time for connecting to one of several addresses of a name before the next is tried. Node's default of 250 ms passes before a busy
 * process handles the opened connection, and then all addresses look dead.
 */
const ADDRESS_TIMEOUT_MS = 5000;
/** Idle connections are closed after this time; common servers close them after five seconds. */
const KEEP_ALIVE_MS = 4000;
const MOST_ROUTES = 1000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

interface Route {
  readonly url: URL;
  readonly agent: keyof Agents;
}

interface Agents {
  readonly strict: Agent;
  /** For receivers whose certificates are not validated. */
  readonly unverified: Agent;
  /** For addresses that the guard does not check. */
  readonly trusting: Agent;
  /** For the jar's own inboxes, which a shared jar may reach on addresses that are otherwise refused. */
  readonly own: Agent;
}

/**
 * The only HTTP client for outbound requests. Connections are pooled. Certificates of the jar's own authority are trusted in addition to
 * the system's, so that a jar can call itself and other programs that use its certificates. The guard decides which addresses are allowed.
 * Loaded with the first call, because most jars never make one.
 */
export class OutboundClient {
  readonly guard: OutboundGuard;
  readonly #authority: () => Promise<string>;
  readonly #routes = new Map<string, Route>();
  readonly #opening = new Opening();
  #loading: Promise<Agents> | undefined;
  #agents: Agents | undefined;

  constructor(options: OutboundOptions) {
    this.guard = new OutboundGuard(options);
    this.#authority = options.authority;
  }

  /** Resolves with a response of any status; rejects with an `OutboundError` if there is none. */
  async send(request: OutboundRequest): Promise<OutboundAnswer> {
    return request.redirects ? this.#follow(request, request.redirects) : this.#sendOne(request);
  }

  async #follow(request: OutboundRequest, redirects: number): Promise<OutboundAnswer> {
    const deadline = processTime() + (request.timeoutMs ?? TIMEOUT_MS);
    let { url, body, method = 'POST', headers } = request;
    for (let left = redirects; ; left--) {
      const answer = await this.#sendOne({ ...request, url, body, method, headers }, deadline);
      const location = answer.headers.location;
      if (left <= 0 || !REDIRECTS.has(answer.status) || location === undefined) return answer;
      if (!URL.canParse(location, String(url))) return answer;
      const next = new URL(location, url);
      if (next.origin !== new URL(url).origin) headers = withoutSecrets(headers, request.secretParts);
      url = next;
      // Like browsers and all common clients: only 307 and 308 keep the method and the body.
      if (answer.status <= 303 && method !== 'GET' && method !== 'HEAD') [method, body] = ['GET', undefined];
    }
  }

  async close(): Promise<void> {
    const agents = await this.#loading;
    if (!agents) return;
    await Promise.all(Object.values(agents).map((agent: Agent) => agent.destroy()));
    this.#opening.end();
  }

  async #sendOne(request: OutboundRequest, deadline?: number): Promise<OutboundAnswer> {
    const { url, agent: usual } = this.#route(request);
    const agent = usual === 'strict' && request.anyCertificate ? 'unverified' : usual;
    const agents = this.#agents ?? (await this.#load());
    const timeoutMs = deadline === undefined ? (request.timeoutMs ?? TIMEOUT_MS) : deadline - processTime();
    if (timeoutMs <= 0) throw timedOut(request);
    return exchange(agents[agent], url, agent === 'own' ? withSecretParts(request) : request, timeoutMs);
  }

  /** Returns the route of an allowed address; cached, because the same few addresses recur. */
  #route({ url: given, plainHttp = false, trusted = false }: OutboundRequest): Route {
    if (trusted) return { url: addressOf(given), agent: 'trusting' };
    const key = `${plainHttp} ${given}`;
    const known = this.#routes.get(key);
    if (known) return known;
    const url = addressOf(given);
    const route: Route = { url, agent: this.guard.check(url, plainHttp) ? 'own' : 'strict' };
    if (this.guard.isComplete) {
      if (this.#routes.size >= MOST_ROUTES) this.#routes.clear();
      this.#routes.set(key, route);
    }
    return route;
  }

  async #load(): Promise<Agents> {
    this.#loading ??= this.#makeAgents();
    this.#agents = await this.#loading;
    return this.#agents;
  }

  async #makeAgents(): Promise<Agents> {
    // In the bundle, a CommonJS package has only a default export.
    const [{ default: undici }, { getCACertificates }] = await Promise.all([import('undici'), import('node:tls')]);
    const ca = [...getCACertificates('default'), await this.#authority()];
    const connector = (kind: keyof Agents) =>
      undici.buildConnector({
        ca,
        rejectUnauthorized: kind !== 'unverified',
        ...(kind !== 'trusting' && { lookup: this.guard.lookup(kind === 'own') as never }),
        timeout: TIMEOUT_MS,
        autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
        allowH2: false,
      });
    const agent = (kind: keyof Agents): Agent =>
      new undici.Agent({
        factory: (origin, options) =>
          new undici.Pool(origin, { ...options, connect: this.#opening.watch(connector(kind)) }),
        connections: CONNECTIONS_PER_ORIGIN,
        pipelining: 1,
        allowH2: false,
        keepAliveTimeout: KEEP_ALIVE_MS,
        maxHeaderSize: MAX_HEADER_BYTES,
        // Covered by the request's own timeout.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
    return {
      strict: agent('strict'),
      unverified: agent('unverified'),
      own: agent('own'),
      trusting: agent('trusting'),
    };
  }
}

/** Sends one request with callbacks: a stream for a few hundred bytes would cost more than the rest. */
function exchange(agent: Agent, url: URL, request: OutboundRequest, timeoutMs: number): Promise<OutboundAnswer> {
  const { method = 'POST', headers = {}, body = null, calls, maxBodyBytes = MAX_BODY_BYTES } = request;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let ended = false;
    let answer: { status: number; headers: IncomingHttpHeaders } | undefined;
    const parts: Buffer[] = [];
    let size = 0;
    const end = (): boolean => {
      if (ended) return false;
      ended = true;
      cancelTimer();
      calls?.remove(abort);
      return true;
    };
    const fail = (error: OutboundError): void => {
      if (!end()) return;
      reject(error);
      controller?.abort(error);
    };
    const finish = (truncated: boolean): void => {
      if (answer && end()) resolve({ ...answer, body: Buffer.concat(parts), truncated });
    };
    const abort = (): void => fail(new OutboundError('Aborted', 'cancelled before it was answered'));
    const cancelTimer = after(timeoutMs, () => fail(timedOut(request)));
    if (calls?.areCancelled) return abort();
    calls?.add(abort);
    try {
      agent.dispatch(
        { origin: url.origin, path: url.pathname + url.search, method, headers: withCredentials(url, headers), body },
        {
          onRequestStart(started) {
            controller = started;
            // The request waited for a connection until it was cancelled or timed out.
            if (ended) started.abort(new OutboundError('Aborted', 'cancelled before it was sent'));
          },
          onResponseStart(_, status, received) {
            if (status >= 200) answer = { status, headers: received };
          },
          onResponseData(_, chunk) {
            if (ended) return;
            size += chunk.length;
            parts.push(size > maxBodyBytes ? chunk.subarray(0, chunk.length - (size - maxBodyBytes)) : chunk);
            if (size <= maxBodyBytes) return;
            finish(true);
            controller?.abort(new OutboundError('Aborted', 'the answer is longer than the limit'));
          },
          onResponseEnd: () => finish(false),
          onResponseError: (_, error) => fail(asOutboundError(error)),
        },
      );
    } catch (error) {
      fail(asOutboundError(error));
    }
  });
}

/** Removes secrets meant for one receiver before following a redirect to another. */
function withoutSecrets(
  headers: OutboundRequest['headers'] = {},
  secretParts: readonly string[] = [],
): Record<string, string> {
  const isSecret = (name: string): boolean => isSecretName(name) || secretParts.includes(name.toLowerCase());
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isSecret(name)));
}

/** For the jar's own inboxes, which show received requests and could not tell which parts are secret. */
function withSecretParts(request: OutboundRequest): OutboundRequest {
  const { headers, secretParts = [] } = request;
  if (secretParts.length === 0) return request;
  return { ...request, headers: { ...headers, [SECRET_PARTS_HEADER]: secretParts.join(',') } };
}

/** Uses a user name and a password in the URL for basic authentication, unless the request is authenticated in another way. */
function withCredentials(
  { username, password }: URL,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  if (username === '' && password === '') return { ...headers };
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) return { ...headers };
  const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`, 'utf8').toString('base64');
  return { ...headers, authorization: `Basic ${credentials}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function addressOf(url: string | URL): URL {
  if (url instanceof URL) return url;
  const parsed = URL.parse(url);
  if (!parsed) throw new OutboundError('BadAddress', 'it is not a valid address');
  return parsed;
}

function timedOut({ timeoutMs = TIMEOUT_MS }: OutboundRequest): OutboundError {
  return new OutboundError('TimedOut', `no complete answer within ${timeoutMs} ms`);
}
