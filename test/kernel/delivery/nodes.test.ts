import { afterEach, expect, test } from 'vitest';
import type { DeliveryPolicy } from '../../../src/kernel/delivery/index.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';
import { SECOND, Sender } from './sender.ts';

const plain: DeliveryPolicy = {
  name: 'test.plain',
  service: 'sender',
  plainHttp: true,
  schedule: [10 * SECOND],
  concurrency: 2,
};
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64url');
const DESTINATIONS = 4;
const EACH = 40;
const nodes: Sender[] = [];

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

async function startNode(databaseUrl: string): Promise<Sender> {
  const node = new Sender([plain]);
  nodes.push(node);
  await node.start({ databaseUrl, secretKey: SECRET_KEY });
  return node;
}

test('nodes on one database send each delivery once, and share the concurrency limit of a destination', {
  timeout: 600_000,
}, async (context) => {
  const databaseUrl = await usePostgresDatabase(context, 'delivery-nodes');
  const [one, other] = [await startNode(databaseUrl), await startNode(databaseUrl)];
  const underWay = new Map<string, number>();
  let most = 0;
  const receiver = await one.receiver((request, response) => {
    const now = (underWay.get(request.path) ?? 0) + 1;
    underWay.set(request.path, now);
    most = Math.max(most, now);
    setTimeout(() => {
      underWay.set(request.path, (underWay.get(request.path) ?? 0) - 1);
      response.end();
    }, 3);
  });
  const write = async (node: Sender, name: string): Promise<void> => {
    for (let i = 0; i < EACH; i++) {
      const destination = `to-${i % DESTINATIONS}`;
      const url = `${receiver.url}/${destination}?key=sealed`;
      await node.enqueue({ policy: 'test.plain', destination, url, body: `${name}-${i}` });
    }
  };
  await Promise.all([write(one, 'one'), write(other, 'other')]);
  await Promise.all([one.settled(), other.settled()]);
  const expected = ['one', 'other'].flatMap((name) => Array.from({ length: EACH }, (_, i) => `${name}-${i}`));
  expect(receiver.bodies().sort()).toEqual(expected.sort());
  expect(most).toBeLessThanOrEqual(2);
  expect((await one.records()).every(({ value }) => value.state === 'delivered')).toBe(true);
});
