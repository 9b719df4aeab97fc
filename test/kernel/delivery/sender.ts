import { afterAll, afterEach, beforeEach, describe } from 'vitest';
import { openJar, type RunningJar } from '../../../src/jar/index.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import type { DeliveryPolicy, NewDelivery } from '../../../src/kernel/delivery/index.ts';
import { type DeliveryRecord, deliveries, destinations, queueOf } from '../../../src/kernel/delivery/records.ts';
import type { Jar } from '../../../src/kernel/service/jar.ts';
import type { Stored } from '../../../src/kernel/store/types.ts';
import { WIDGET_PARTS } from '../../services/resources/widgets.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';
import { wholeService } from '../../support/whole-service.ts';
import { type Receiver, startReceiver } from './receivers.ts';

export const START = '2030-01-01T00:00:00.000Z';
export const START_MS = Date.parse(START);

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** A jar whose only service sends with the given policies. */
export class Sender {
  readonly #policies: readonly DeliveryPolicy[];
  readonly #receivers: Receiver[] = [];
  running!: RunningJar;

  constructor(policies: readonly DeliveryPolicy[]) {
    this.#policies = policies;
  }

  get jar(): Jar {
    return this.running.jar;
  }

  async start(flags: Record<string, unknown>): Promise<void> {
    const service = wholeService({ ...WIDGET_PARTS, name: 'sender', deliveries: this.#policies, eager: true });
    const given = { port: 0, httpsPort: 0, clock: 'virtual', clockStart: START, ...flags };
    const config = loadConfig({ flags: given, env: {}, cwd: '/' });
    this.running = await openJar({ config, inProcess: true, services: [service], logLevel: 'fatal' });
  }

  async close(): Promise<void> {
    await this.running?.close();
    await this.closeReceivers();
  }

  async closeReceivers(): Promise<void> {
    await Promise.all(this.#receivers.splice(0).map((receiver) => receiver.close()));
  }

  async receiver(answer?: Receiver['answer']): Promise<Receiver> {
    const receiver = await startReceiver(answer);
    this.#receivers.push(receiver);
    return receiver;
  }

  enqueue(...list: readonly NewDelivery[]): Promise<string[]> {
    return this.jar.store.transact(async (tx) => {
      const ids: string[] = [];
      for (const each of list) ids.push(await this.jar.delivery.enqueue(tx, each));
      return ids;
    });
  }

  settled(): Promise<void> {
    return this.running.settled();
  }

  async record(id: string): Promise<DeliveryRecord> {
    const found = await this.jar.store.get(deliveries, id);
    if (!found) throw new Error(`there is no delivery '${id}'`);
    return found.value;
  }

  async records(): Promise<readonly Stored<DeliveryRecord>[]> {
    return (await this.jar.store.query(deliveries, { limit: 100_000 })).items;
  }

  async destination(policy: string, destination: string) {
    return (await this.jar.store.get(destinations, queueOf(policy, destination)))?.value;
  }

  /** Seconds since the start. */
  get seconds(): number {
    return (this.jar.clock.now() - START_MS) / SECOND;
  }
}

/** Runs the same tests on both stores, with one jar each that is reset between tests. */
export function sending(title: string, policies: readonly DeliveryPolicy[], tests: (sender: Sender) => void): void {
  for (const engine of ['sqlite', 'postgres'] as const) {
    describe(`${engine}: ${title}`, () => {
      const sender = new Sender(policies);
      beforeEach(async ({ skip }) => {
        if (sender.running) return sender.running.reset();
        const store =
          engine === 'postgres' ? { databaseUrl: await usePostgresDatabase({ skip }, 'delivery') } : { memory: true };
        await sender.start(store);
      });
      afterEach(() => sender.closeReceivers());
      afterAll(() => sender.close());
      tests(sender);
    });
  }
}
