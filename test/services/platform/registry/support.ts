import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SecureContext } from 'node:tls';
import { afterAll } from 'vitest';
import type { Received } from '../../../kernel/delivery/receivers.ts';
import { type Ask, good } from '../support.ts';

export const ML = '/mlflow';

export const createModel = async (ask: Ask, name: string, more: object = {}) =>
  (await good(ask('POST', `${ML}/registered-models/create`, { name, ...more }))).registered_model;

export const createVersion = async (ask: Ask, name: string, more: object = {}) =>
  (await good(ask('POST', `${ML}/model-versions/create`, { name, source: `dbfs:/models/${name}`, ...more })))
    .model_version;

export const getModel = async (ask: Ask, name: string) =>
  (await good(ask('GET', `${ML}/databricks/registered-models/get?name=${encodeURIComponent(name)}`)))
    .registered_model_databricks;

export const getVersion = async (ask: Ask, name: string, version: string | number) =>
  (await good(ask('GET', `${ML}/model-versions/get?name=${encodeURIComponent(name)}&version=${version}`)))
    .model_version;

export const transition = (
  ask: Ask,
  name: string,
  version: string | number,
  stage: string,
  archive = false,
  more = {},
) =>
  ask('POST', `${ML}/databricks/model-versions/transition-stage`, {
    name,
    version: String(version),
    stage,
    archive_existing_versions: archive,
    ...more,
  });

export const activitiesOf = async (ask: Ask, name: string, version: string | number) =>
  (await good(ask('GET', `${ML}/activities/list?name=${name}&version=${version}`))).activities ?? [];

export const createWebhook = async (ask: Ask, body: object) =>
  (await good(ask('POST', `${ML}/registry-webhooks/create`, body))).webhook;

/** Gives a user a level on a model, replacing the previous one. */
export async function share(ask: Ask, name: string, user: string, level: string): Promise<void> {
  const { id } = await getModel(ask, name);
  await good(
    ask('PUT', `/permissions/registered-models/${id}`, {
      access_control_list: [{ user_name: `${user}@vendor.example`, permission_level: level }],
    }),
  );
}

export const hexSignature = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

export interface HttpsReceiver {
  readonly url: string;
  readonly received: Received[];
  /** The statuses of the next responses; the last one is repeated. */
  statuses: number[];
  headers: Record<string, string>;
}

/** A real HTTPS server that records requests, closed after the tests. */
export function useHttpsReceiver(context: () => SecureContext): () => Promise<HttpsReceiver> {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  return async () => {
    const receiver = { url: '', received: [] as Received[], statuses: [200], headers: {} as Record<string, string> };
    const server = createServer({ SNICallback: (_name, done) => done(null, context()) }, (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        receiver.received.push({ method, path: url, headers, body: Buffer.concat(parts).toString('utf8') });
        const status = receiver.statuses.length > 1 ? receiver.statuses.shift() : receiver.statuses[0];
        response.writeHead(status ?? 200, receiver.headers).end('thank you');
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    receiver.url = `https://localhost:${(server.address() as AddressInfo).port}`;
    return receiver;
  };
}
