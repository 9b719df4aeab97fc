import type { JarProcess } from './contenders.ts';

const GROUP = '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/shop';
const TOPIC = `${GROUP}/providers/Vendor.EventGrid/topics/orders`;
const VERSION = 'api-version=2025-02-15';
const POLL_MS = 10;

/** Address and headers for publishing. */
export interface EventTopic {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A topic with one subscription for all events, delivered to `endpointUrl` with these properties. */
export async function makeTopic(jar: JarProcess, endpointUrl: string, further: object = {}): Promise<EventTopic> {
  const token = await jar.token();
  // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
  const call = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await fetch(jar.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  await call('PUT', `${GROUP}?api-version=2021-04-01`, { location: 'westus' });
  await call('PUT', `${TOPIC}?${VERSION}`, { location: 'westus' });
  const path = `${TOPIC}/providers/Vendor.EventGrid/eventSubscriptions/all?${VERSION}`;
  const destination = { endpointType: 'WebHook', properties: { endpointUrl, ...further } };
  await call('PUT', path, { properties: { destination } });
  for (;;) {
    const { properties } = await call('GET', path);
    if (properties.provisioningState === 'Succeeded') break;
    if (properties.provisioningState === 'Failed') throw new Error('the receiver did not agree');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const { key1 } = await call('POST', `${TOPIC}/listKeys?${VERSION}`);
  const { properties } = await call('GET', `${TOPIC}?${VERSION}`);
  return {
    url: `${jar.url}${new URL(properties.endpoint).pathname}?api-version=2018-01-01`,
    headers: { 'content-type': 'application/json', 'aeg-sas-key': key1 },
  };
}
