import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bench } from '../../../support/jars.ts';
import { type Ask, good } from '../support.ts';

export const PATH = '/serving-endpoints';

/** The models that tests serve: `main.default.churn` and `main.default.m` of the catalog, `m` of the registry, with two versions each. */
export async function makeModels(ask: Ask): Promise<void> {
  const inCatalog = '/mlflow/unity-catalog/model-versions';
  for (const name of ['churn', 'm']) {
    await good(ask('POST', '/api/2.1/unity-catalog/models', { catalog_name: 'main', schema_name: 'default', name }));
    for (const version of ['1', '2']) {
      await good(ask('POST', `${inCatalog}/create`, { name: `main.default.${name}`, source: 'dbfs:/models' }));
      await good(ask('POST', `${inCatalog}/finalize`, { name: `main.default.${name}`, version }));
    }
  }
  await good(ask('POST', '/mlflow/registered-models/create', { name: 'm' }));
  for (const _version of ['1', '2'])
    await good(ask('POST', '/mlflow/model-versions/create', { name: 'm', source: 's3://models/m' }));
}

/** A served entity with nothing but its model. */
export const entity = (name: string, rest: object = {}) => ({
  name,
  entity_name: 'main.default.churn',
  entity_version: '1',
  workload_size: 'Small',
  scale_to_zero_enabled: false,
  ...rest,
});

/** Creates an endpoint and waits until it is ready. */
export async function newEndpoint(bench: Bench, ask: Ask, name: string, config: object, rest: object = {}) {
  const made = await good(ask('POST', PATH, { name, config, ...rest }));
  await bench.jar.clock.advance('5m');
  return made;
}

export const query = (ask: Ask, name: string, body: unknown) => ask('POST', `/${PATH}/${name}/invocations`, body);

/** A model server: records requests, and responds on demand. */
export class Model {
  readonly #server;
  readonly bodies: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  readonly paths: string[] = [];
  #waiting: ((status: number, body: object) => void)[] = [];
  /** If set, the immediate response to every request. Otherwise requests wait for `answerAll`. */
  answer: { readonly status: number; readonly body: object } | undefined;

  private constructor() {
    this.#server = createServer((request, response) => this.#take(request, response));
  }

  static async open(answer?: Model['answer']): Promise<Model> {
    const model = new Model();
    model.answer = answer;
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  answerAll(status: number, body: object): void {
    for (const answer of this.#waiting.splice(0)) answer(status, body);
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      this.bodies.push(Buffer.concat(parts).toString());
      this.headers.push(request.headers);
      this.paths.push(request.url ?? '');
      const send = (status: number, body: object): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      };
      if (this.answer) send(this.answer.status, this.answer.body);
      else this.#waiting.push(send);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
