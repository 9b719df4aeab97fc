import { Agent, request } from 'node:http';
import { request as requestSecurely, Agent as SecureAgent } from 'node:https';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly isJson: boolean;
}

export interface Asked {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

/** What `fetch` sends by itself. */
const DEFAULTS = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' };

/**
 * A client for tests, which send more requests than all else that they do. `fetch` wraps streams of the web around Node's own and takes three
 * times the processor time of client and server together. This one follows no redirects and knows no encodings.
 */
export class QuickClient {
  readonly #agent = new Agent({ keepAlive: true });
  #secureAgent: SecureAgent | undefined;

  /** `ca` has signed the certificate of an address with `https`. */
  ask(address: string, { method, headers, body }: Asked, ca: string): Promise<Answer> {
    const { protocol, hostname, port, pathname, search } = new URL(address);
    const isSecure = protocol === 'https:';
    if (isSecure) this.#secureAgent ??= new SecureAgent({ keepAlive: true, ca });
    const agent = isSecure ? this.#secureAgent : this.#agent;
    const begin = isSecure ? requestSecurely : request;
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const options = { agent, hostname, port, path: pathname + search, method };
      const call = begin({ ...options, headers: { ...DEFAULTS, ...length, ...headers } }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('error', reject);
        response.on('end', () => resolve(new ReadAnswer(response.statusCode ?? 0, response.rawHeaders, text)));
      });
      call.on('error', reject);
      call.end(body ?? undefined);
    });
  }

  close(): void {
    this.#agent.destroy();
    this.#secureAgent?.destroy();
  }
}

class ReadAnswer implements Answer {
  readonly status: number;
  readonly text: string;
  readonly #raw: readonly string[];
  #headers: Headers | undefined;

  constructor(status: number, raw: readonly string[], text: string) {
    this.status = status;
    this.#raw = raw;
    this.text = text;
  }

  /** Made when somebody looks. */
  get headers(): Headers {
    if (!this.#headers) {
      this.#headers = new Headers();
      for (let i = 0; i < this.#raw.length; i += 2) this.#headers.append(this.#raw[i]!, this.#raw[i + 1]!);
    }
    return this.#headers;
  }

  get isJson(): boolean {
    const at = this.#raw.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === 'content-type');
    return at !== -1 && this.#raw[at + 1]!.includes('json');
  }
}
