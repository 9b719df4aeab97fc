import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { request as requestSecurely, Agent as SecureAgent } from 'node:https';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

export interface Asked {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

/** The headers that `fetch` sends by default. */
const DEFAULTS = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' };

/**
 * An HTTP client for tests, whose main cost is sending requests. With `fetch`, which wraps web streams around Node's own, client and server
 * need three times as much processor time. This client follows no redirects and decodes no encodings.
 */
export class QuickClient {
  readonly #agent = new Agent({ keepAlive: true });
  #secureAgent: SecureAgent | undefined;

  /** `ca` is the CA of the certificate for an `https` address. */
  async ask(address: string, { method, headers, body }: Asked, ca: string): Promise<Reply> {
    const { protocol, hostname, port, pathname, search } = new URL(address);
    const isSecure = protocol === 'https:';
    if (isSecure) this.#secureAgent ??= new SecureAgent({ keepAlive: true, ca });
    const call = (isSecure ? requestSecurely : request)({
      agent: isSecure ? this.#secureAgent : this.#agent,
      hostname,
      port,
      path: pathname + search,
      method,
      headers: { ...DEFAULTS, ...(body !== null && { 'content-length': Buffer.byteLength(body) }), ...headers },
    });
    // Errors before the answer are thrown by `once`, errors after its start by the reading.
    call.on('error', () => {});
    call.end(body ?? undefined);
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    let text = '';
    for await (const part of answer.setEncoding('utf8')) text += part;
    return new ReadReply(answer, text);
  }

  close(): void {
    this.#agent.destroy();
    this.#secureAgent?.destroy();
  }
}

class ReadReply implements Reply {
  readonly status: number;
  readonly text: string;
  /** Undefined if the answer is empty or not JSON. */
  readonly body: unknown;
  readonly #raw: readonly string[];
  #headers: Headers | undefined;

  constructor({ statusCode = 0, headers, rawHeaders }: IncomingMessage, text: string) {
    this.status = statusCode;
    this.text = text;
    this.body = isJson(headers['content-type']) && text !== '' ? JSON.parse(text) : undefined;
    this.#raw = rawHeaders;
  }

  /** Created on first access. */
  get headers(): Headers {
    if (!this.#headers) {
      this.#headers = new Headers();
      for (let i = 0; i < this.#raw.length; i += 2) this.#headers.append(this.#raw[i]!, this.#raw[i + 1]!);
    }
    return this.#headers;
  }
}

/** NDJSON is not parsed as JSON. */
const isJson = (type = ''): boolean => type.includes('json') && !type.includes('ndjson');
