import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Bench } from '../../../support/jars.ts';

const UC = '/api/2.1/unity-catalog';

/** Requests with binary bodies, which the other helpers do not support. */
export class FilesClient {
  readonly #bench: Bench;
  readonly #token: string;

  constructor(bench: Bench, token: string) {
    this.#bench = bench;
    this.#token = token;
  }

  /** A path relative to the origin, or a complete link, which is sent without a credential. */
  async send(method: string, path: string, body?: Uint8Array | string, headers: Record<string, string> = {}) {
    const isLink = path.startsWith('http');
    const response = await fetch(isLink ? path : `${this.#bench.jar.url}${path}`, {
      method,
      headers: { ...(!isLink && { authorization: `Bearer ${this.#token}` }), ...headers },
      ...(body !== undefined && { body }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      text: bytes.toString('utf8'),
      json: isJson && bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : undefined,
    };
  }

  file(method: string, path: string, body?: Uint8Array | string, headers?: Record<string, string>) {
    return this.send(method, `/api/2.0/fs/files${path}`, body, headers);
  }

  directory(method: string, path: string) {
    return this.send(method, `/api/2.0/fs/directories${path}`);
  }

  /** The status of a request whose path is sent unchanged: other clients resolve `..` before sending. */
  async rawStatus(method: string, path: string): Promise<number | undefined> {
    const { hostname, port } = new URL(this.#bench.jar.url);
    const sent = request({ hostname, port, path, method, headers: { authorization: `Bearer ${this.#token}` } }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  }

  async post(path: string, body: object = {}) {
    const reply = await this.send('POST', `/api/2.0/fs/${path}`, JSON.stringify(body));
    if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.text}`);
    return reply.json;
  }
}

export async function volumeClient(bench: Bench, user = 'admin'): Promise<FilesClient> {
  return new FilesClient(bench, await bench.jar.token({ user, ttl: '3650d' }));
}

export const newVolume = (name: string, more: object = {}) => ({
  catalog_name: 'main',
  schema_name: 'default',
  name,
  volume_type: 'MANAGED',
  ...more,
});

export const VOLUMES = `${UC}/volumes`;
