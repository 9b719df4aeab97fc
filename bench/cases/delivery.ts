import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import undici from 'undici';
import { NODE_FLAGS } from '../../scripts/lib/node-flags.mjs';
import type { DeliveryPolicy } from '../../src/kernel/delivery/index.ts';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { takeTurns, timed } from '../lib/rounds.ts';
import { EVENT, startReceivers, startSender } from '../lib/sender.ts';

const CONCURRENCY = 50;
const RECEIVERS = 100;
const QUEUED = 1_000_000;
const ALLOWED_MB = 300;

export const delivery: Case = {
  name: 'delivery',
  summary: `Deliveries, each on disk before it is acknowledged and again when it has ended, to receivers in a process of their own.`,
  async run(context) {
    return [await throughput(context), await isolation(context), await held(context)];
  },
};

/** From the enqueuing of the first message to the recorded end of the last, compared with a loop that only posts. */
async function throughput({ quick, folder, say }: CaseContext): Promise<Comparison> {
  const count = quick ? 2000 : 20_000;
  const receivers = await startReceivers(1);
  const [url = ''] = receivers.urls;
  let delivered = 0;
  const running = await startSender(join(folder, 'throughput'), {
    name: 'bench.send',
    service: 'bench',
    plainHttp: true,
    schedule: [1000],
    concurrency: CONCURRENCY,
  });
  const { jar } = running;
  let finished = (): void => {};
  jar.delivery.observe((_, outcome) => {
    if (outcome === 'delivered' && ++delivered === count) finished();
  });
  const deliver = async (): Promise<void> => {
    delivered = 0;
    const all = new Promise<void>((resolve) => {
      finished = resolve;
    });
    await inParallel(count, () =>
      jar.store.transact(async (tx) => {
        await jar.delivery.enqueue(tx, { policy: 'bench.send', destination: 'one', url, body: EVENT });
      }),
    );
    await all;
  };
  const agent = new undici.Agent({ connections: CONCURRENCY });
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const post = (): Promise<void> =>
    inParallel(count, async () => {
      const answer = await undici.request(url, { method: 'POST', headers, body: EVENT, dispatcher: agent });
      await answer.body.dump();
    });
  const perSecond = (ms: number): number => count / (ms / 1000);
  say(`${count} deliveries, ${CONCURRENCY} at once`);
  const figures = await takeTurns(
    quick ? 2 : 7,
    { bare: async () => perSecond(await timed(post)), jar: async () => perSecond(await timed(deliver)) },
    { warmUps: 2 },
  );
  await agent.close();
  await running.close();
  receivers.stop();
  return {
    title: 'durable delivery to one receiver',
    unit: 'requests/s',
    baseline: { name: 'bare undici POST loop', values: figures.bare },
    subject: { name: 'jar', values: figures.jar },
    target: { atLeast: 0.5 },
    note: 'Enqueued, sent and ended: three writes to a SQLite file that share their commits, by the process that sends.',
  };
}

async function inParallel(count: number, act: () => Promise<void>): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await act();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** The 99th percentile of the latency, from enqueuing to the recorded end, of the working receivers. */
async function isolation({ quick, folder, say }: CaseContext): Promise<Comparison> {
  const perReceiver = quick ? 5 : 20;
  const paceMs = 2;
  const latencies: number[] = [];
  const began = new Map<string, number>();
  const policy: DeliveryPolicy = {
    name: 'bench.isolated',
    service: 'bench',
    plainHttp: true,
    schedule: [1000],
    timeoutMs: 1000,
    async ended(_, list) {
      for (const { id } of list) {
        const start = began.get(id);
        if (start !== undefined) latencies.push(performance.now() - start);
      }
      return undefined;
    },
  };
  const running = await startSender(join(folder, 'isolation'), policy);
  const { jar } = running;
  const p99 = async (dead: number): Promise<number> => {
    const receivers = await startReceivers(RECEIVERS, dead);
    latencies.length = 0;
    began.clear();
    let live = 0;
    for (let i = 0; i < perReceiver * RECEIVERS; i++) {
      const which = i % RECEIVERS;
      const url = receivers.urls[which] ?? '';
      const start = performance.now();
      const id = await jar.store.transact((tx) =>
        jar.delivery.enqueue(tx, { policy: policy.name, destination: url, owner: 'bench', url, body: EVENT }),
      );
      // The last receiver may be dead; it is not measured in either run.
      if (which < RECEIVERS - 1) {
        began.set(id, start);
        live += 1;
      }
      await pause(paceMs);
    }
    while (latencies.length < live) await pause(10);
    await jar.store.transact((tx) => jar.delivery.cancel(tx, { owner: 'bench' }));
    receivers.stop();
    return latencies.sort((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
  };
  say(`${RECEIVERS} receivers, one of them dead in every other round`);
  const figures = await takeTurns(quick ? 1 : 5, { alive: () => p99(0), oneDead: () => p99(1) });
  await running.close();
  return {
    title: 'latency of the 99th percent, one of 100 receivers dead',
    unit: 'ms',
    baseline: { name: 'all alive', values: figures.alive },
    subject: { name: 'one dead', values: figures.oneDead },
    target: { atMost: 1.5 },
  };
}

/** Resident memory of the process that queues and sends, while many messages are queued. */
async function held({ quick, folder, say }: CaseContext): Promise<Comparison> {
  const count = quick ? QUEUED / 20 : QUEUED;
  say(`${count} deliveries queued`);
  const program = fileURLToPath(new URL('../lib/queued-process.ts', import.meta.url));
  const child = fork(program, [join(folder, 'held'), String(count)], { execArgv: NODE_FLAGS });
  const most = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(Number(message)));
    child.once('exit', (code) => reject(new Error(`the process that queues ended with ${code}`)));
  });
  return {
    title: `resident memory at most, with ${count.toLocaleString('en')} deliveries queued`,
    unit: 'MB',
    baseline: { name: 'allowed', values: [ALLOWED_MB] },
    subject: { name: 'jar', values: [most] },
    target: { atMost: 1 },
  };
}
