import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AzuriteServer } from './azurite.ts';

/**
 * `work`: forwards normally. `refuse`: answers that it is busy. `swallow`: executes the request and closes the connection before the
 * answer. `hold`: executes the request and does not answer.
 */
export type Mood = 'work' | 'refuse' | 'swallow' | 'hold';

/** A proxy in front of a storage server that records and disrupts requests. */
export class StorageGate {
  mood: Mood = 'work';
  /** `PUT /account/container/blob` for every request that was forwarded. */
  readonly seen: string[] = [];
  /** Resolves when a request was executed whose answer is held. */
  readonly held: Promise<void>;
  #hold = (): void => {};
  readonly #answers: (() => void)[] = [];
  readonly #azurite: AzuriteServer;
  readonly #server = createServer((request, response) => this.#pass(request, response));
  #url = '';

  private constructor(azurite: AzuriteServer) {
    this.#azurite = azurite;
    this.held = new Promise((resolve) => {
      this.#hold = resolve;
    });
  }

  static async before(azurite: AzuriteServer): Promise<StorageGate> {
    const gate = new StorageGate(azurite);
    await new Promise<void>((resolve) => gate.#server.listen(0, '127.0.0.1', resolve));
    gate.#url = `http://127.0.0.1:${(gate.#server.address() as AddressInfo).port}`;
    return gate;
  }

  /** The server's own connection string, with the address of this gate. */
  connectionString(key?: string): string {
    const own = this.#azurite.connectionString(key);
    return own.replace(/BlobEndpoint=http:\/\/[^/]+/, `BlobEndpoint=${this.#url}`);
  }

  /** Closes the connections whose answers are held. */
  release(): void {
    for (const hangUp of this.#answers.splice(0)) hangUp();
  }

  #keep(response: ServerResponse): void {
    this.#answers.push(() => response.destroy());
    this.#hold();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    this.seen.push(`${request.method} ${request.url}`);
    const mood = this.mood;
    if (mood === 'refuse') {
      request.resume();
      response.writeHead(503, { 'x-ms-error-code': 'ServerBusy' }).end();
      return;
    }
    const { port } = new URL(/BlobEndpoint=([^;]+)/.exec(this.#azurite.connectionString())?.[1] ?? '');
    const options = { port, method: request.method, path: request.url, headers: request.headers };
    const onward = forward({ host: '127.0.0.1', ...options }, (answer) => {
      if (mood === 'swallow' || mood === 'hold') {
        answer.resume();
        answer.on('end', () => (mood === 'hold' ? this.#keep(response) : response.destroy()));
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }
}
