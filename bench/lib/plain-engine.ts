import { Agent, request } from 'node:http';

/** A minimal client of the Docker Engine API. */
export class PlainEngine {
  readonly #socketPath: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  call(method: string, path: string, body?: unknown): Promise<unknown> {
    const text = body === undefined ? '' : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      const options = { socketPath: this.#socketPath, agent: this.#agent, method, path: `/v1.41${path}`, headers };
      const call = request(options, (answer) => {
        let received = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          received += part;
        });
        answer.once('end', () => {
          if ((answer.statusCode ?? 500) < 400) resolve(received === '' ? undefined : JSON.parse(received));
          else reject(new Error(`${method} ${path} answered ${answer.statusCode}: ${received}`));
        });
      });
      call.once('error', reject);
      call.end(text);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
