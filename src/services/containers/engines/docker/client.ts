import { type Duplex, Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { after } from '../../../../kernel/clock/timers.ts';
import { EngineUnavailable } from '../types.ts';
import type { EngineAddress } from './address.ts';

/** Starting a container on a busy machine takes its time; more than this means that nobody is at work any more. */
const ANSWER_MS = 120_000;
const CONNECT_MS = 5_000;
const GREETING_MS = 5_000;
/** The version whose calls are used here; an engine that is older or has given it up is asked in its own. */
const API_VERSION = '1.41';

/** The engine has understood and says no. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, for instance a tar archive. */
  readonly bytes?: Buffer | AsyncIterable<Buffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** For the beginning of the answer; 0 waits for ever. */
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

/** Speaks the Docker Engine API. Whatever keeps an answer from coming is an `EngineUnavailable`, a refusal is an `EngineError`. */
export class EngineClient {
  readonly address: EngineAddress;
  #agent: Promise<Agent> | undefined;
  #prefix = '';

  constructor(address: EngineAddress) {
    this.address = address;
  }

  /** Says who answers and takes the version of the API that both sides know. */
  async negotiate(): Promise<EngineVersion> {
    const signal = AbortSignal.timeout(GREETING_MS);
    // Podman takes a third of a second to tell its version, and says it in passing here.
    const podman = /^Libpod\/(\S+)/.exec(await this.#serverName(signal))?.[1];
    if (podman !== undefined) {
      this.#prefix = `/v${API_VERSION}`;
      return { product: 'Podman', version: podman };
    }
    const version = await this.json<VersionAnswer>('GET', '/version', { signal });
    if (typeof version?.ApiVersion !== 'string')
      throw new EngineUnavailable(`what answers at ${this.address.name} is not a container engine`);
    this.#prefix = `/v${commonVersion(version)}`;
    return { product: 'Docker', version: version.Version };
  }

  async #serverName(signal: AbortSignal): Promise<string> {
    try {
      const { headers, body } = await this.#request('GET', '/_ping', { signal });
      await body.dump();
      return String(headers.server ?? '');
    } catch (error) {
      throw this.#unavailable(error, signal);
    }
  }

  /** The parsed answer; undefined for an empty one. */
  async json<T>(method: Dispatcher.HttpMethod, path: string, options: CallOptions = {}): Promise<T> {
    const text = await this.text(method, path, options);
    try {
      return (text === '' ? undefined : JSON.parse(text)) as T;
    } catch {
      throw new EngineUnavailable(`the container engine at ${this.address.name} answers nonsense to ${method} ${path}`);
    }
  }

  async text(method: Dispatcher.HttpMethod, path: string, options: CallOptions = {}): Promise<string> {
    const body = await this.stream(method, path, options);
    try {
      const parts: Buffer[] = [];
      for await (const part of body) parts.push(part as Buffer);
      return Buffer.concat(parts).toString();
    } catch (error) {
      throw this.#unavailable(error, options.signal);
    }
  }

  /** An answer that comes bit by bit. */
  async stream(method: Dispatcher.HttpMethod, path: string, options: CallOptions = {}): Promise<Readable> {
    let answer: Dispatcher.ResponseData;
    try {
      answer = await this.#request(method, path, options);
    } catch (error) {
      const canRepeat = options.bytes === undefined || Buffer.isBuffer(options.bytes);
      if (!isStale(error) || !canRepeat || options.signal?.aborted) throw this.#unavailable(error, options.signal);
      // A connection that was kept for later may have been closed meanwhile. What can be sent again is.
      answer = await this.#request(method, path, options).catch((again) => {
        throw this.#unavailable(again, options.signal);
      });
    }
    if (answer.statusCode < 400) return answer.body;
    const text = await answer.body.text().catch(() => '');
    throw new EngineError(answer.statusCode, messageIn(text) || `${method} ${path} gave status ${answer.statusCode}`);
  }

  /** Turns the connection into one to a process. */
  async hijack(path: string, { query, body }: Pick<CallOptions, 'query' | 'body'> = {}): Promise<Duplex> {
    const { request } =
      this.address.kind === 'http' && this.address.origin.startsWith('https:')
        ? await import('node:https')
        : await import('node:http');
    const text = body === undefined ? '' : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const to = this.address.kind === 'unix' ? { socketPath: this.address.path } : locationOf(this.address.origin);
      const call = request({
        ...to,
        method: 'POST',
        path: this.#path(path, query),
        headers: {
          connection: 'Upgrade',
          upgrade: 'tcp',
          host: 'engine',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        },
      });
      const tooLate = after(ANSWER_MS, () => call.destroy(new Error('it takes too long')));
      call.once('upgrade', (_answer, socket, head) => {
        tooLate();
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      });
      call.once('response', (answer) => {
        tooLate();
        // Without a switch of protocols: an old engine that goes on regardless, or an error.
        if (answer.statusCode === 200) return resolve(answer.socket);
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.once('end', () => {
          const said = messageIn(Buffer.concat(parts).toString());
          reject(new EngineError(answer.statusCode ?? 500, said || `POST ${path} gave status ${answer.statusCode}`));
        });
      });
      call.once('error', (error) => {
        tooLate();
        reject(this.#unavailable(error, undefined));
      });
      call.end(text);
    });
  }

  async close(): Promise<void> {
    const agent = await this.#agent?.catch(() => undefined);
    this.#agent = undefined;
    await agent?.destroy();
  }

  async #request(method: Dispatcher.HttpMethod, path: string, options: CallOptions): Promise<Dispatcher.ResponseData> {
    this.#agent ??= this.#openAgent();
    const agent = await this.#agent;
    const { body, bytes, headers, signal, answerMs = ANSWER_MS } = options;
    return agent.request({
      origin: this.address.kind === 'unix' ? 'http://engine' : this.address.origin,
      method,
      path: this.#path(path, options.query),
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(bytes && { 'content-type': 'application/x-tar' }),
        ...headers,
      },
      body: bytes === undefined ? (body === undefined ? null : JSON.stringify(body)) : bodyOf(bytes),
      headersTimeout: answerMs,
      bodyTimeout: 0,
      ...(signal && { signal }),
    });
  }

  async #openAgent(): Promise<Agent> {
    const { default: undici } = await import('undici');
    const connect = { timeout: CONNECT_MS, ...(this.address.kind === 'unix' && { socketPath: this.address.path }) };
    return new undici.Agent({ connect });
  }

  #path(path: string, query: CallOptions['query']): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined) parameters.set(name, String(value));
    const text = parameters.toString();
    return `${this.#prefix}${path}${text === '' ? '' : `?${text}`}`;
  }

  /** Whoever has called off what they asked for hears of that, not of the connection. */
  #unavailable(error: unknown, signal: AbortSignal | undefined): unknown {
    if (error instanceof EngineError || error instanceof EngineUnavailable) return error;
    if (signal?.aborted && signal.reason?.name !== 'TimeoutError') return signal.reason;
    const { code, message } = error as { code?: string; message?: string };
    const reason = REASONS[code ?? ''] ?? (signal?.aborted ? 'it takes too long' : (message ?? code ?? 'unknown'));
    return new EngineUnavailable(`no answer from the container engine at ${this.address.name}: ${reason}`, {
      cause: error,
    });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such socket',
  ECONNREFUSED: 'nobody listens there',
  EACCES: 'this user may not connect to it',
  EPERM: 'this user may not connect to it',
  UND_ERR_HEADERS_TIMEOUT: 'it takes too long',
  UND_ERR_CONNECT_TIMEOUT: 'it cannot be reached',
};

const STALE = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
const isStale = (error: unknown): boolean => STALE.has((error as { code?: string }).code ?? '');

const bodyOf = (bytes: Buffer | AsyncIterable<Buffer>): Buffer | Readable =>
  Buffer.isBuffer(bytes) ? bytes : Readable.from(bytes, { objectMode: false });

function locationOf(origin: string): { host: string; port: string | undefined } {
  const { hostname, port } = new URL(origin);
  return { host: hostname, port: port === '' ? undefined : port };
}

/** Docker says it under `message`, Podman under `message` and `cause`. */
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

function isOlder(version: string, other: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

/** For a query: `{"label":["a=b"]}`. */
export const filters = (values: Readonly<Record<string, readonly string[]>>): string => JSON.stringify(values);
