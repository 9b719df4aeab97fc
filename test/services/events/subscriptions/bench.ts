import { EventGridManagementClient, type EventSubscription } from '@azure/arm-eventgrid';
import { ResourceManagementClient } from '@azure/arm-resources';
import { SERVICES } from '../../../../src/services.ts';
import type { StartJarOptions } from '../../../../src/testing/index.ts';
import { type Bench, type Reply, SUBSCRIPTION } from '../../../support/jars.ts';
import { WIDGETS } from '../../resources/widgets.ts';

/** A jar for clients of the real cloud, whose endpoints may be on this machine. */
export const OPTIONS = {
  namespace: ['Microsoft'],
  services: [...SERVICES, WIDGETS],
  allowHttpLoopback: true,
} as StartJarOptions;

export const VERSION = '2025-02-15';
export const AT_SUBSCRIPTION = `/subscriptions/${SUBSCRIPTION}`;
export const AT_GROUP = `${AT_SUBSCRIPTION}/resourceGroups/shop`;
export const AT_WIDGET = `${AT_GROUP}/providers/Microsoft.Test/widgets/gear`;

export const credentialOf = (bench: Bench) => ({
  getToken: async () => ({ token: await bench.jar.token(), expiresOnTimestamp: Date.now() + 3_600_000 }),
});

/** The official client, with only endpoint, credential and version set. */
export const clientOf = (bench: Bench): EventGridManagementClient =>
  new EventGridManagementClient(credentialOf(bench), SUBSCRIPTION, {
    endpoint: bench.jar.httpsUrl,
    apiVersion: VERSION,
  });

export const POLLING = { updateIntervalInMs: 20 };

export async function makeGroup(bench: Bench, name = 'shop'): Promise<void> {
  const client = new ResourceManagementClient(credentialOf(bench), SUBSCRIPTION, { endpoint: bench.jar.httpsUrl });
  await client.resourceGroups.createOrUpdate(name, { location: 'westus' });
}

export async function makeWidget(bench: Bench): Promise<void> {
  const body = { location: 'eastus', properties: { size: 1 } };
  await bench.call('PUT', `${AT_WIDGET}?api-version=2024-01-01`, { body });
}

export const storageQueue = (name = 'orders'): EventSubscription => ({
  destination: {
    endpointType: 'StorageQueue',
    resourceId: `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/shop`,
    queueName: name,
  },
});

export const webHook = (endpointUrl: string, more: object = {}): EventSubscription => ({
  destination: { endpointType: 'WebHook', endpointUrl, ...more },
});

/** The same in plain HTTP, as clients in other languages send it. */
export function http(bench: Bench, scope = AT_GROUP, namespace = 'Microsoft') {
  const path = (name: string, action = ''): string =>
    `${scope}/providers/${namespace}.EventGrid/eventSubscriptions/${name}${action}?api-version=${VERSION}`;
  return {
    put: (name: string, properties: unknown): Promise<Reply> => bench.call('PUT', path(name), { body: { properties } }),
    patch: (name: string, body: unknown): Promise<Reply> => bench.call('PATCH', path(name), { body }),
    get: (name: string): Promise<Reply> => bench.call('GET', path(name)),
    remove: (name: string): Promise<Reply> => bench.call('DELETE', path(name)),
    act: (name: string, action: string): Promise<Reply> => bench.call('POST', path(name, `/${action}`)),
    path,
  };
}

/** Matches no events. */
export const QUIET = { filter: { includedEventTypes: ['Nothing.Of.The.Kind'] } };

export const hook = (endpointUrl: string, more: object = {}, properties: object = {}) => ({
  destination: { endpointType: 'WebHook', properties: { endpointUrl, ...more } },
  ...properties,
});

export const queue = (more: object = {}) => ({
  destination: {
    endpointType: 'StorageQueue',
    properties: {
      resourceId: `${AT_GROUP}/providers/Microsoft.Storage/storageAccounts/shop`,
      queueName: 'orders',
    },
  },
  ...more,
});

/** The status document of the operation that an answer belongs to. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it
export async function operationOf(bench: Bench, reply: Reply): Promise<any> {
  return (await bench.call('GET', reply.headers.get('azure-asyncoperation') as string)).body;
}
