import { expect, it } from 'vitest';
import { startJar, type TestJar } from '../../../../src/testing/index.ts';
import { startReceiver } from '../../../kernel/delivery/receivers.ts';
import { trust } from '../../../support/trust.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { agreeing, PLAIN_HTTP } from '../webhooks/support.ts';
import type { Entry } from './support.ts';

const EACH = 20;
const LONGEST_MS = 120_000;
const SLOW_MS = 150;

it('two nodes on one database close a window once, notify every change once, and let a subscription expire once', async (context) => {
  const databaseUrl = await usePostgresDatabase(context, 'jar');
  const secretKey = Buffer.alloc(32, 7).toString('base64url');
  const nodes: TestJar[] = [];
  for (let i = 0; i < 2; i++) nodes.push(await startJar({ databaseUrl, secretKey, clock: 'system' }));
  const [one, other] = nodes as [TestJar, TestJar];
  try {
    for (const node of nodes) trust(node);
    const token = await one.token({ ttl: '365d' });
    const ask = async (node: TestJar, method: string, path: string, body?: object) => {
      const key = path.startsWith('/_jar/') ? node.adminKey : token;
      const response = await fetch(node.url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
      return { status: response.status, body: (await response.json()) as any };
    };
    const settings = (node: TestJar, body: object) => ask(node, 'PATCH', '/_jar/business/settings', body);
    expect((await settings(one, { apiSubscriptionDelayTime: 400 })).status).toBe(200);
    const companies = await ask(one, 'GET', '/api/v2.0/companies');
    const customers = `/api/v2.0/companies(${companies.body.value[0].id})/customers`;
    const subscribe = async (node: TestJar): Promise<string> => {
      const body = { notificationUrl: one.inbox('nodes').httpsUrl, resource: customers };
      const made = await ask(node, 'POST', '/api/v2.0/subscriptions', body);
      expect(made.status).toBe(201);
      return made.body.subscriptionId;
    };
    const subscribed = [await subscribe(one), await subscribe(other)];

    const made: string[] = [];
    const change = async (node: TestJar): Promise<void> => {
      for (let i = 0; i < EACH; i++) {
        const { status, body } = await ask(node, 'POST', customers, { displayName: `No. ${i}` });
        expect(status).toBe(201);
        made.push(body.id);
      }
    };
    await Promise.all(nodes.map(change));
    const told = async (): Promise<string[]> => {
      const requests = (await one.inbox('nodes').requests()).filter(({ handshake }) => handshake === null);
      const entries = requests.flatMap((request) => request.json().value as Entry[]);
      return entries.map(({ subscriptionId, changeType, resource }) => `${subscriptionId} ${changeType} ${resource}`);
    };
    const expected = subscribed.flatMap((id) => made.map((each) => `${id} created ${customers}(${each})`));
    await expect.poll(told, { timeout: LONGEST_MS }).toHaveLength(expected.length);
    expect((await told()).sort()).toEqual(expected.sort());

    expect((await settings(other, { apiSubscriptionExpiration: 1000 })).status).toBe(200);
    const short = await subscribe(one);
    const removed = async () => {
      const { body } = await ask(one, 'GET', '/_jar/business/subscriptions/removed');
      return body.value.filter(({ subscriptionId }: { subscriptionId: string }) => subscriptionId === short);
    };
    await expect.poll(removed, { timeout: LONGEST_MS }).toMatchObject([{ reason: 'expired' }]);
    const { body } = await ask(other, 'GET', '/_jar/business/subscriptions');
    expect(body.counts).toMatchObject({ live: 2, removed: { expired: 1 } });
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
  }
});

it('two nodes notify a slow receiver that fails repeatedly of every change once, merged by whichever node runs', async (context) => {
  const databaseUrl = await usePostgresDatabase(context, 'jar');
  const secretKey = Buffer.alloc(32, 7).toString('base64url');
  const accepted: Entry[] = [];
  let sent = 0;
  const receiver = await startReceiver((request, response, count) => {
    if (request.path.includes('validationToken')) return void agreeing(request, response, count);
    const fails = ++sent % 3 !== 0;
    if (!fails) accepted.push(...JSON.parse(request.body).value);
    // Longer than the delay, so that changes arrive while a run is sending.
    setTimeout(() => response.writeHead(fails ? 503 : 200).end(), SLOW_MS);
  });
  const nodes: TestJar[] = [];
  const options = { databaseUrl, secretKey, clock: 'system', ...PLAIN_HTTP } as const;
  for (let i = 0; i < 2; i++) nodes.push(await startJar(options));
  const [one] = nodes as [TestJar, TestJar];
  try {
    const token = await one.token({ ttl: '365d' });
    const ask = async (node: TestJar, method: string, path: string, body?: object) => {
      const key = path.startsWith('/_jar/') ? node.adminKey : token;
      const response = await fetch(node.url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
      return { status: response.status, body: (await response.json()) as any };
    };
    const settings = { apiSubscriptionDelayTime: 100, apiSubscriptionRetrySchedule: [200] };
    expect((await ask(one, 'PATCH', '/_jar/business/settings', settings)).status).toBe(200);
    const companies = await ask(one, 'GET', '/api/v2.0/companies');
    const customers = `/api/v2.0/companies(${companies.body.value[0].id})/customers`;
    const subscription = { notificationUrl: `${receiver.url}/hook`, resource: customers };
    expect((await ask(one, 'POST', '/api/v2.0/subscriptions', subscription)).status).toBe(201);
    const made: string[] = [];
    const change = async (node: TestJar): Promise<void> => {
      for (let i = 0; i < EACH; i++) {
        const { body } = await ask(node, 'POST', customers, { displayName: `No. ${i}` });
        made.push(body.id);
      }
    };
    await Promise.all(nodes.map(change));
    await expect.poll(() => accepted.length, { timeout: LONGEST_MS }).toBeGreaterThanOrEqual(made.length);
    const told = accepted.map(({ changeType, resource }) => `${changeType} ${resource}`);
    expect(told.sort()).toEqual(made.map((id) => `created ${customers}(${id})`).sort());
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
    await receiver.close();
  }
});
