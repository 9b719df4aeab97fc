import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deliveries } from '../../../src/kernel/delivery/records.ts';
import type { Tx } from '../../../src/kernel/store/types.ts';
import { bundled } from '../../support/bundled.ts';
import { freeze } from '../../support/frozen.ts';
import { createDatabase, startPostgres } from '../../support/postgres.ts';
import { postgres } from '../store/contract/engines.ts';
import { CRASH_POLICY } from './crash-policy.ts';
import { type CrashSender, openSender } from './crash-sender.ts';
import { type Receiver, startReceiver } from './receivers.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';
const KILLS = SOAK ? 10 : 1;
/** Interval between two messages to a destination that is never idle. */
const EVERY_MS = 20;
const CHILD = await bundled(join(import.meta.dirname, 'takeover-child.ts'));

/** A destination that constantly gets messages, and the nodes that send them. */
class BusyDestination {
  readonly #address: string;
  readonly #receiver: Receiver;
  /** Enqueues, but does not send. */
  readonly #writer: CrashSender;
  readonly nodes = new Map<number, ChildProcess>();
  readonly acknowledged: string[] = [];
  readonly arrivals: { readonly body: string; readonly node: number; readonly at: number }[] = [];
  #writing: Promise<void> | undefined;
  #stopped = false;

  private constructor(address: string, receiver: Receiver, writer: CrashSender) {
    this.#address = address;
    this.#receiver = receiver;
    this.#writer = writer;
    receiver.answer = ({ body, headers }, response) => {
      this.arrivals.push({ body, node: Number(headers['x-node']), at: performance.now() });
      response.end();
    };
  }

  static async open(address: string): Promise<BusyDestination> {
    const writer = await openSender(address, CRASH_POLICY);
    await writer.worker.stop();
    const receiver = await startReceiver();
    const busy = new BusyDestination(address, receiver, writer);
    onTestFinished(() => busy.close());
    return busy;
  }

  async startNode(): Promise<number> {
    const child = spawn(process.execPath, [CHILD, this.#address], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    this.nodes.set(child.pid!, child);
    return child.pid!;
  }

  write(): void {
    this.#writing = (async () => {
      for (let n = 0; !this.#stopped; n++) {
        const body = `message-${n}`;
        const enqueue = async (tx: Tx): Promise<void> => {
          const to = { policy: CRASH_POLICY.name, destination: 'busy', url: this.#receiver.url };
          await this.#writer.delivery.enqueue(tx, { ...to, body });
        };
        // Enqueueing fails while the database hangs, so these deliveries are not acknowledged.
        await this.#writer.store.transact(enqueue).then(
          () => this.acknowledged.push(body),
          () => {},
        );
        await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
      }
    })();
  }

  /** Stops enqueueing, and waits until everything has arrived and is recorded. */
  async finish(): Promise<void> {
    this.#stopped = true;
    await this.#writing;
    const queued = { filter: { op: 'eq', field: 'state', value: 'queued' } } as const;
    await expect.poll(() => this.#writer.store.count(deliveries, queued), { timeout: 120_000 }).toBe(0);
  }

  /** Whether the writer, and therefore every node, has noticed that the database is gone. */
  get isCutOff(): boolean {
    const health = this.#writer.store.health();
    return !health.reachable && health.reason.includes('calls have been refused');
  }

  async untilMoreArrives(from: (node: number) => boolean = () => true): Promise<number> {
    const seen = this.arrivals.length;
    const later = () => this.arrivals.slice(seen).find(({ node }) => from(node));
    await expect.poll(later, { timeout: 120_000, interval: 5 }).toBeDefined();
    return later()!.node;
  }

  /** The longest time without an arrival. */
  get longestSilence(): number {
    return Math.max(...this.arrivals.slice(1).map(({ at }, index) => at - this.arrivals[index]!.at));
  }

  async close(): Promise<void> {
    this.#stopped = true;
    await this.#writing;
    for (const child of this.nodes.values()) child.kill('SIGKILL');
    await this.#writer.close();
    await this.#receiver.close();
  }
}

describe('the nodes of a jar', { timeout: 600_000 }, () => {
  test(`take over from one that is killed while it sends (${KILLS} times), and lose nothing`, async (context) => {
    const place = await postgres.place(context);
    const busy = await BusyDestination.open(place.address);
    await busy.startNode();
    await busy.startNode();
    busy.write();
    for (let kill = 0; kill < KILLS; kill++) {
      const sender = await busy.untilMoreArrives();
      busy.nodes.get(sender)!.kill('SIGKILL');
      busy.nodes.delete(sender);
      await busy.untilMoreArrives((node) => node !== sender);
      await busy.startNode();
    }
    await busy.finish();
    const arrived = new Set(busy.arrivals.map(({ body }) => body));
    expect(busy.acknowledged.filter((body) => !arrived.has(body))).toEqual([]);
    console.info(`longest silence over ${KILLS} kills: ${Math.round(busy.longestSilence)} ms`);
  });

  test('take over from one that is paused, which records nothing when it wakes', async (context) => {
    const place = await postgres.place(context);
    const busy = await BusyDestination.open(place.address);
    await busy.startNode();
    await busy.startNode();
    busy.write();
    const sender = await busy.untilMoreArrives();
    const wake = freeze(sender);
    onTestFinished(wake);
    await busy.untilMoreArrives((node) => node !== sender);
    wake();
    // The node works normally again: when the other one is killed, it takes over.
    const other = [...busy.nodes.keys()].find((node) => node !== sender)!;
    busy.nodes.get(other)!.kill('SIGKILL');
    busy.nodes.delete(other);
    await busy.untilMoreArrives((node) => node === sender);
    await busy.finish();
    const arrived = new Set(busy.arrivals.map(({ body }) => body));
    expect(busy.acknowledged.filter((body) => !arrived.has(body))).toEqual([]);
  });

  test('continues to send as soon as a database that hung responds again, although no other node could take over', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const busy = await BusyDestination.open(await createDatabase(server.url, 'hung'));
    await busy.startNode();
    busy.write();
    await busy.untilMoreArrives();
    const thaw = freeze(server.pid);
    onTestFinished(thaw);
    // Until the node considers the database gone, so that its leases could not be released.
    await expect.poll(() => busy.isCutOff, { timeout: 120_000 }).toBe(true);
    thaw();
    await busy.untilMoreArrives();
    await busy.finish();
    const arrived = new Set(busy.arrivals.map(({ body }) => body));
    expect(busy.acknowledged.filter((body) => !arrived.has(body))).toEqual([]);
  });
});
