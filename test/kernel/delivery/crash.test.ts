import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deliveries, deliveryBodies, destinations } from '../../../src/kernel/delivery/records.ts';
import type { Position, Store } from '../../../src/kernel/store/types.ts';
import { bundled } from '../../support/bundled.ts';
import { file, postgres } from '../store/contract/engines.ts';
import { CRASH_POLICY, DESTINATIONS } from './crash-policy.ts';
import { type Receiver, startReceiver } from './receivers.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';
const KILLS = SOAK ? 30 : 3;
/** More deliveries than one process enqueues before it is killed. */
const SHARE = SOAK ? 667 : 400;
/** The last process is not killed, and enqueues what is missing from this total. */
const TOTAL = SOAK ? 20_000 : 600;
const CHILD = await bundled(join(import.meta.dirname, 'crash-child.ts'));
const LIFE_MS = 400;
/** Maximum number of messages that may be sent but not recorded at the same moment; see the pump. */
const MOST_UNWRITTEN = DESTINATIONS * (CRASH_POLICY.concurrency ?? 0) * 6;
const PAGE = 1000;

interface Arrivals {
  /** By delivery: how often the receiver accepted it. */
  readonly accepted: Map<string, number>;
  readonly receiver: Receiver;
}

/** A receiver that randomly rejects, disconnects or accepts. */
async function unreliable(): Promise<Arrivals> {
  const accepted = new Map<string, number>();
  const receiver = await startReceiver(({ body }, response) => {
    const mood = Math.random();
    if (mood < 0.2) response.writeHead(503).end();
    else if (mood < 0.25) response.destroy();
    else {
      accepted.set(body, (accepted.get(body) ?? 0) + 1);
      response.end();
    }
  });
  onTestFinished(() => receiver.close());
  return { accepted, receiver };
}

/** Runs a sender until it is killed at a random moment after its first acknowledgement; returns the deliveries it acknowledged. */
async function live(address: string, url: string, life: number, share: number, kill: boolean): Promise<string[]> {
  const child = spawn(process.execPath, [CHILD, address, url, `life${life}`, String(share)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    if (said === '' && kill) setTimeout(() => child.kill('SIGKILL'), Math.random() * LIFE_MS);
    said += text;
  });
  const end = await new Promise<unknown[]>((resolve) => child.once('close', (...how) => resolve(how)));
  // A sender that is done earlier exits normally.
  expect([[0, null], ...(kill ? [[null, 'SIGKILL']] : [])]).toContainEqual(end);
  return said.split('\n').slice(0, -1);
}

async function statesIn(store: Store): Promise<Map<string, string>> {
  const states = new Map<string, string>();
  for (let after: Position | undefined; ; ) {
    const page = await store.query(deliveries, { after, limit: PAGE });
    for (const { value } of page.items) states.set(value.body ?? '', value.state);
    if (!page.next) return states;
    after = page.next;
  }
}

for (const engine of [file, postgres]) {
  describe(`${engine.name}: a sender that is killed ${KILLS} times`, () => {
    test('loses nothing that it acknowledged, and sends twice only messages that a kill hit between sending and recording', {
      timeout: 1_200_000,
    }, async (context) => {
      const place = await engine.place(context);
      const { accepted, receiver } = await unreliable();
      const acknowledged: string[] = [];
      for (let life = 0; life < KILLS; life++) {
        acknowledged.push(...(await live(place.address, receiver.url, life, SHARE, true)));
      }
      expect(acknowledged.length).toBeGreaterThan(KILLS);
      const rest = Math.max(KILLS, TOTAL - acknowledged.length);
      const all = acknowledged.length + rest;
      acknowledged.push(...(await live(place.address, receiver.url, KILLS, rest, false)));

      expect(acknowledged).toHaveLength(all);
      expect(acknowledged.filter((body) => !accepted.has(body))).toEqual([]);
      const store = await place.open([deliveries, deliveryBodies, destinations]);
      const states = await statesIn(store);
      expect(acknowledged.filter((body) => states.get(body) !== 'delivered')).toEqual([]);
      expect([...states.values()].filter((state) => state !== 'delivered')).toEqual([]);
      const twice = [...accepted.values()].reduce((sum, times) => sum + times - 1, 0);
      expect(twice).toBeLessThanOrEqual(KILLS * MOST_UNWRITTEN);
      expect((await store.work.stats()).parked).toBe(0);
    });
  });
}
