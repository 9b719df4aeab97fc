import { expect } from 'vitest';
import { adminKey, type StartedJar, startCli } from '../../cli/cli.ts';

/** A jar in a process of its own, which can be killed and started again. */
export class MortalJar {
  #jar: StartedJar | undefined;
  #token = '';
  readonly #args: readonly string[];

  constructor(args: readonly string[]) {
    this.#args = args;
  }

  async start(): Promise<void> {
    this.#jar = await startCli(this.#args, this.#jar ? { folder: this.#jar.folder } : {});
    if (this.#token !== '') return;
    const { access_token: token } = await this.need('POST', '/_jar/tokens', { ttl: '3650d' });
    this.#token = token;
  }

  /** Undefined when the jar died before it answered. */
  async send(method: string, path: string, body?: unknown) {
    const token = path.startsWith('/_jar/') ? adminKey(this.#jar?.folder ?? '') : this.#token;
    try {
      const response = await fetch(`${this.#jar?.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body === undefined ? null : body instanceof Uint8Array ? body : JSON.stringify(body),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      return { status: response.status, body: isJson && text !== '' ? JSON.parse(text) : text };
    } catch {
      return undefined;
    }
  }

  async need(method: string, path: string, body?: unknown) {
    const answer = await this.send(method, path, body);
    expect(answer?.status, JSON.stringify(answer?.body)).toBe(200);
    return answer?.body;
  }

  get folder(): string {
    return this.#jar?.folder ?? '';
  }

  async kill(): Promise<void> {
    this.#jar?.kill('SIGKILL');
    await this.#jar?.result;
  }
}
