import { expect } from 'vitest';
import type { Bench } from '../../../support/jars.ts';
import { SUBSCRIPTION } from '../../../support/jars.ts';

/** A topic, with short forms for its operations. */

export const VERSION = 'api-version=2025-02-15';
export const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop`;
export const topicId = (name = 'orders'): string => `${GROUP}/providers/Vendor.EventGrid/topics/${name}`;

export interface Topic {
  readonly id: string;
  readonly endpoint: string;
  readonly key: string;
}

export async function makeTopic(bench: Bench, name = 'orders', properties: object = {}): Promise<Topic> {
  await bench.call('PUT', `${GROUP}?api-version=2021-04-01`, { body: { location: 'westus' } });
  const id = topicId(name);
  const made = await bench.call('PUT', `${id}?${VERSION}`, { body: { location: 'westus', properties } });
  expect(made.status).toBe(201);
  await bench.jar.settled();
  const { body } = await bench.call('GET', `${id}?${VERSION}`);
  const keys = await bench.call('POST', `${id}/listKeys?${VERSION}`);
  // Plain HTTP, so that this process need not trust the jar's certificate.
  const endpoint = bench.jar.url + new URL(body.properties.endpoint).pathname;
  return { id, endpoint, key: keys.body.key1 };
}

export async function subscribe(bench: Bench, scope: string, name: string, properties: object): Promise<void> {
  const path = `${scope}/providers/Vendor.EventGrid/eventSubscriptions/${name}?${VERSION}`;
  const made = await bench.call('PUT', path, { body: { properties } });
  expect(made.status, made.text).toBe(201);
  await bench.jar.settled();
  const { body } = await bench.call('GET', path);
  expect(body.properties.provisioningState).toBe('Succeeded');
}

export const webHook = (endpointUrl: string, further: object = {}) => ({
  endpointType: 'WebHook',
  properties: { endpointUrl, ...further },
});

let count = 0;

export const event = (further: object = {}) => ({
  id: `e${++count}`,
  eventType: 'Shop.OrderPlaced',
  subject: '/orders/1',
  eventTime: '2030-01-01T00:00:00Z',
  dataVersion: '1',
  data: { color: 'red' },
  ...further,
});

export async function publish(bench: Bench, topic: Topic, ...events: object[]): Promise<void> {
  const answer = await bench.call('POST', `${topic.endpoint}?api-version=2018-01-01`, {
    token: null,
    headers: { 'aeg-sas-key': topic.key },
    body: events,
  });
  expect(answer.status, answer.text).toBe(200);
}

export const control = (bench: Bench, path: string, method = 'GET', body?: unknown) =>
  bench.call(method, `/_jar/${path}`, { token: bench.jar.adminKey, ...(body !== undefined && { body }) });
