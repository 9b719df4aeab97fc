import type { Agent, IncomingMessage, RequestOptions } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { nodeHttp, nodeHttps } from '../../http/node-http.ts';
import { after } from '../../time/timers.ts';
import { HangDetector } from '../hang-detector.ts';
import { EngineUnavailable } from '../types.ts';
import type { EngineAddress } from './address.ts';

/** Starting a container on a busy machine takes time. After this long without a response the engine counts as unavailable. */
const ANSWER_MS = 120_000;
const GREETING_MS = 10_000;
/** Idle connections. */
const KEPT_CONNECTIONS = 8;
/**
 * The API version that the calls are written for. An engine that is older, or no longer supports this version, is called with its own
 * version.
 */
const API_VERSION = '1.41';

/** The engine received the request and rejected it. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, for example a tar archive. */
  readonly bytes?: Buffer | AsyncIterable<Buffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Limit for the start of the response, and again for the rest of a response that is read whole; 0 means no limit. */
  readonly answerMs?: number;
}

export interface EngineVersion {
  readonly product: 'Docker' | 'Podman';
  readonly version: string;
}

interface VersionAnswer {
  readonly Version: string;
  readonly ApiVersion: string;
  readonly MinAPIVersion?: string;
}

/**
 * Client of the Docker Engine API. A missing response is an `EngineUnavailable`, a rejection an `EngineError`. Uses Node's own HTTP client
 * because every jar has loaded it already: engines are looked for at start, and another client would have to be loaded first.
 */
export class EngineClient {
  readonly address: EngineAddress;
  readonly #hangDetector: HangDetector;
  #agent: Agent | undefined;
  #prefix = '';

  constructor(address: EngineAddress, { patienceMs = GREETING_MS } = {}) {
    this.address = address;
    const ping = async (withinMs: number): Promise<void> => {
      const answer = await this.#request('GET', '/_ping', { signal: AbortSignal.timeout(withinMs) }, false);
      answer.resume();
    };
    this.#hangDetector = new HangDetector({ patienceMs, ping });
  }

  /** Why the engine does not respond, if that is known. */
  get trouble(): string | undefined {
    return this.#hangDetector.trouble;
  }

  /** Identifies the engine and selects an API version that both sides support. */
  async negotiate(): Promise<EngineVersion> {
    const options = { signal: AbortSignal.timeout(GREETING_MS) };
    const greeting = await this.#answer('GET', '/_ping', options);
    greeting.resume();
    // Podman takes a third of a second to answer `/version`, but sends its version in this header.
    const podman = /^Libpod\/(\S+)/.exec(String(greeting.headers.server ?? ''))?.[1];
    if (podman !== undefined) {
      this.#prefix = `/v${API_VERSION}`;
      return { product: 'Podman', version: podman };
    }
    const version = await this.json<VersionAnswer>('GET', '/version', options);
    if (typeof version?.ApiVersion !== 'string')
      throw new EngineUnavailable(`the server at ${this.address.name} is not a container engine`);
    this.#prefix = `/v${commonVersion(version)}`;
    return { product: 'Docker', version: version.Version };
  }

  /** Returns the parsed response; undefined if the response is empty. */
  async json<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
    const text = await this.text(method, path, options);
    try {
      return (text === '' ? undefined : JSON.parse(text)) as T;
    } catch {
      throw new EngineUnavailable(
        `the container engine at ${this.address.name} sent an invalid response to ${method} ${path}`,
      );
    }
  }

  async text(method: Method, path: string, options: CallOptions = {}): Promise<string> {
    const answer = await this.stream(method, path, options);
    const { answerMs = ANSWER_MS, signal } = options;
    const cancel = answerMs > 0 ? after(answerMs, () => answer.destroy(new Error(TOO_LONG))) : () => {};
    try {
      return await readAll(answer);
    } catch (error) {
      throw this.unavailable(error, signal);
    } finally {
      cancel();
    }
  }

  /** Returns the response as a stream. */
  async stream(method: Method, path: string, options: CallOptions = {}): Promise<Readable> {
    const answer = await this.#answer(method, path, options);
    const status = answer.statusCode ?? 0;
    if (status < 400) return answer;
    const text = await readAll(answer).catch(() => '');
    throw new EngineError(status, messageIn(text) || `${method} ${path} returned status ${status}`);
  }

  /** Upgrades the connection to a stream to a process in a container. */
  async hijack(path: string, { query, body }: Pick<CallOptions, 'query' | 'body'> = {}): Promise<Duplex> {
    this.#hangDetector.check();
    const request = this.#requester();
    const text = body === undefined ? '' : JSON.stringify(body);
    const upgrade = { connection: 'Upgrade', upgrade: 'tcp', 'content-length': Buffer.byteLength(text) };
    return new Promise((resolve, reject) => {
      const call = request(this.#options('POST', path, { query, headers: upgrade }, false));
      const expire = after(ANSWER_MS, () => call.destroy(new Error(TOO_LONG)));
      const unwatch = this.#hangDetector.watch(call);
      const cancel = (): void => {
        expire();
        unwatch();
      };
      call.once('upgrade', (_answer, socket, head) => {
        cancel();
        // The socket may fail before anything reads from it; the reader then sees its end.
        socket.on('error', () => {});
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      });
      call.once('response', (answer) => {
        cancel();
        // No upgrade: either an old engine that streams anyway, or an error.
        if (answer.statusCode === 200) return resolve(answer.socket);
        readAll(answer)
          .then(messageIn, () => '')
          .then((said) => {
            reject(
              new EngineError(answer.statusCode ?? 500, said || `POST ${path} returned status ${answer.statusCode}`),
            );
          });
      });
      call.once('error', (error) => {
        cancel();
        reject(this.unavailable(error, undefined));
      });
      call.end(text);
    });
  }

  close(): void {
    this.#hangDetector.close();
    this.#agent?.destroy();
    this.#agent = undefined;
  }

  async #answer(method: Method, path: string, options: CallOptions): Promise<IncomingMessage> {
    this.#hangDetector.check();
    try {
      return await this.#request(method, path, options);
    } catch (error) {
      const canRepeat = options.bytes === undefined || Buffer.isBuffer(options.bytes);
      if (!(error instanceof StaleConnection) || !canRepeat || options.signal?.aborted)
        throw this.unavailable(error, options.signal);
      // The kept-alive connection may have been closed meanwhile. The request is sent again if its body can be.
      return this.#request(method, path, options).catch((again: unknown) => {
        throw this.unavailable(again, options.signal);
      });
    }
  }

  async #request(method: Method, path: string, options: CallOptions, watched = true): Promise<IncomingMessage> {
    const request = this.#requester();
    const { body, bytes, signal, answerMs = ANSWER_MS } = options;
    const content = Buffer.isBuffer(bytes) ? bytes : body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const call = request({ ...this.#options(method, path, options, watched), ...(signal && { signal }) });
      const cancel = answerMs > 0 ? after(answerMs, () => call.destroy(new Error(TOO_LONG))) : () => {};
      const unwatch = watched ? this.#hangDetector.watch(call) : () => {};
      call.once('response', (answer) => {
        cancel();
        unwatch();
        resolve(answer);
      });
      call.once('error', (error) => {
        cancel();
        unwatch();
        reject(call.reusedSocket && isClosed(error) ? new StaleConnection(error.message, { cause: error }) : error);
      });
      if (content) call.setHeader('content-length', content.length);
      if (bytes === undefined || Buffer.isBuffer(bytes)) call.end(content);
      else pipeline(bytes, call).catch((error: Error) => call.destroy(error));
    });
  }

  #options(
    method: Method,
    path: string,
    { query, headers, bytes }: Omit<CallOptions, 'headers'> & { readonly headers?: RequestOptions['headers'] },
    keep: boolean,
  ): RequestOptions {
    this.#agent ??= new nodeHttp.Agent({ keepAlive: true, maxFreeSockets: KEPT_CONNECTIONS });
    const to = this.address.kind === 'unix' ? { socketPath: this.address.path } : locationOf(this.address.origin);
    const isSecure = this.address.kind === 'http' && this.address.origin.startsWith('https:');
    return {
      ...to,
      method,
      path: this.#path(path, query),
      headers: {
        ...(this.address.kind === 'unix' && { host: 'engine' }),
        'content-type': bytes === undefined ? 'application/json' : 'application/x-tar',
        ...(headers as Record<string, string>),
      },
      agent: keep && !isSecure ? this.#agent : false,
    };
  }

  #requester(): typeof nodeHttp.request {
    if (this.address.kind === 'unix' || this.address.origin.startsWith('http:')) return nodeHttp.request;
    return nodeHttps().request;
  }

  #path(path: string, query: CallOptions['query']): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined) parameters.set(name, String(value));
    const text = parameters.toString();
    return `${this.#prefix}${path}${text === '' ? '' : `?${text}`}`;
  }

  /**
   * The error to report for a failed call or stream. If the caller aborted, that is the reason of the abort and not the error of the
   * connection.
   */
  unavailable(error: unknown, signal: AbortSignal | undefined): unknown {
    if (error instanceof EngineError || error instanceof EngineUnavailable) return error;
    if (signal?.aborted && signal.reason?.name !== 'TimeoutError') return signal.reason;
    const { code, message } = error as { code?: string; message?: string };
    const reason = signal?.aborted ? TOO_LONG : (REASONS[code ?? ''] ?? message ?? code ?? 'unknown');
    return new EngineUnavailable(`no response from the container engine at ${this.address.name}: ${reason}`, {
      cause: error,
    });
  }
}

/**
 * For calls that an engine has no reason to reject: a rejection means that something is wrong with the engine, and the caller retries
 * later.
 */
export async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof EngineError ? new EngineUnavailable(error.message, { cause: error }) : error;
  }
}

class StaleConnection extends Error {}

const TOO_LONG = 'timed out';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the socket does not exist',
  ECONNREFUSED: 'the connection was refused',
  EACCES: 'this user has no permission to connect',
  EPERM: 'this user has no permission to connect',
};

const isClosed = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE';

async function readAll(answer: Readable): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function locationOf(origin: string): { host: string; port: string | undefined } {
  const { hostname, port } = new URL(origin);
  return { host: hostname, port: port === '' ? undefined : port };
}

/** Docker puts the text into `message`, Podman into `message` and `cause`. */
function messageIn(text: string): string {
  try {
    const { message, cause } = JSON.parse(text);
    return String(message ?? cause ?? '').trim();
  } catch {
    return text.trim().slice(0, 500);
  }
}

export function commonVersion({
  ApiVersion,
  MinAPIVersion,
}: Pick<VersionAnswer, 'ApiVersion' | 'MinAPIVersion'>): string {
  if (isOlder(ApiVersion, API_VERSION)) return ApiVersion;
  if (MinAPIVersion !== undefined && isOlder(API_VERSION, MinAPIVersion)) return MinAPIVersion;
  return API_VERSION;
}

/** Compares major and minor version only. */
export function isOlder(version: string, other: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

/** Query parameter, for example `{"label":["a=b"]}`. */
export const filters = (values: Readonly<Record<string, readonly string[]>>): string => JSON.stringify(values);
