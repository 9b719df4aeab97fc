// Fills the data folder of a stopped jar with what the console shows: ended deliveries, and resources that nothing drives. In its own
// process, because the jar of the case is started as users start it.

import { openJar, type RunningJar } from '../../src/jar/index.ts';
import { resources } from '../../src/kernel/arm/index.ts';
import { loadConfig } from '../../src/kernel/config/config.ts';
import { firstIdAt } from '../../src/kernel/delivery/ids.ts';
import { deliveries } from '../../src/kernel/delivery/records.ts';

const [data = '', deliveryCount = '0', resourceCount = '0'] = process.argv.slice(2);
const AT_ONCE = 5000;
const API_VERSION = '2025-02-15';

const config = loadConfig({ flags: { port: 0, httpsPort: 0, data }, env: {}, cwd: '/' });
const running = await openJar({ config, logLevel: 'error' });
try {
  await copyResource(running, Number(resourceCount));
  await makeDeliveries(running, Number(deliveryCount));
} finally {
  await running.close();
}
process.disconnect?.();

/** One resource by the API of its service, the others as copies with other names. */
async function copyResource({ url, adminKey, jar }: RunningJar, count: number): Promise<void> {
  const authorized = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const issued = await fetch(`${url}/_jar/tokens`, { method: 'POST', headers: authorized });
  const { access_token } = (await issued.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const listed = await fetch(`${url}/subscriptions?api-version=2022-12-01`, { headers });
  const { value } = (await listed.json()) as { value: { subscriptionId: string }[] };
  const group = `/subscriptions/${value[0]?.subscriptionId}/resourceGroups/bench`;
  const topic = `${group}/providers/Vendor.EventGrid/topics/topic-0`;
  for (const [path, version] of [
    [group, '2025-04-01'],
    [topic, API_VERSION],
  ]) {
    const body = JSON.stringify({ location: 'westus' });
    const made = await fetch(`${url}${path}?api-version=${version}`, { method: 'PUT', headers, body });
    if (!made.ok) throw new Error(`${path} was not created: ${made.status} ${await made.text()}`);
  }
  const found = await jar.store.get(resources, topic.toLowerCase());
  if (!found) throw new Error('the topic has another key than its path');
  await inParts(count, (numbers) =>
    jar.store.transact((tx) =>
      tx.putAll(
        resources,
        numbers.map((n) => {
          const name = `topic-${n}`;
          const id = found.value.id.replace(/topic-0$/, name);
          return [id.toLowerCase(), { ...found.value, id, name, createdAt: found.value.createdAt + n }];
        }),
      ),
    ),
  );
}

/** Every third failed, so that the list shows what real lists show. */
async function makeDeliveries({ jar }: RunningJar, count: number): Promise<void> {
  const now = jar.clock.now();
  await inParts(count, (numbers) =>
    jar.store.transact((tx) =>
      tx.putAll(
        deliveries,
        numbers.map((n) => {
          const failed = n % 3 === 0;
          const createdAt = now - (count - n) * 100;
          const attempt = {
            number: 1,
            at: createdAt,
            ms: 3,
            status: failed ? 500 : 200,
            outcome: failed ? 'ServerError' : 'Succeeded',
            rule: 'status',
          };
          return [
            `${firstIdAt(createdAt)}0000bench`,
            {
              policy: 'events.webhook',
              service: 'events',
              destination: `receiver-${n % 20}`,
              subject: `orders/${n}`,
              address: `http://127.0.0.1:9/hook/${n % 20}`,
              body: '{}',
              bodyBytes: 2,
              state: failed ? 'dead-lettered' : 'delivered',
              createdAt,
              dueAt: createdAt,
              endedAt: createdAt + 3,
              attempts: 1,
              tries: 1,
              history: [attempt],
            },
          ];
        }),
      ),
    ),
  );
}

async function inParts(count: number, put: (numbers: readonly number[]) => Promise<unknown>): Promise<void> {
  for (let from = 1; from <= count; from += AT_ONCE) {
    await put(Array.from({ length: Math.min(AT_ONCE, count - from + 1) }, (_, index) => from + index));
  }
}
