import { openClock } from '../../../src/kernel/clock/clock.ts';
import { clockCollection } from '../../../src/kernel/clock/position.ts';
import type { AdvanceResult, ClockMode, JarClock } from '../../../src/kernel/clock/types.ts';
import type { Jar } from '../../../src/kernel/service/jar.ts';
import { collection } from '../../../src/kernel/store/collection.ts';
import type { Json, NewWork, Store, WorkItem } from '../../../src/kernel/store/types.ts';
import { createAdvance } from '../../../src/kernel/work/advance.ts';
import { mutexCollection } from '../../../src/kernel/work/turn.ts';
import { startWorker, type WorkerOptions, type WorkLog } from '../../../src/kernel/work/worker.ts';
import type { PlainWork } from '../../support/whole-service.ts';

/** Written by the handlers of the tests. */
export const effects = collection<{ readonly times: number }>('test.effects');

export const collections = [clockCollection, mutexCollection, effects];

/** A round number, so that failures are easy to read. */
export const START = 1_000_000_000_000;

export interface Line {
  readonly level: 'debug' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export interface Ran {
  readonly kind: string;
  readonly payload: Json;
  readonly dueAt: number;
  /** The jar's time. */
  readonly at: number;
}

export interface Bench {
  readonly store: Store;
  readonly clock: JarClock;
  readonly worker: ReturnType<typeof startWorker>;
  readonly lines: readonly Line[];
  advance(by: string | number): Promise<AdvanceResult>;
  schedule(...work: NewWork[]): Promise<void>;
  /** Closes worker and clock, but not the store. */
  close(): Promise<void>;
}

export interface BenchOptions extends Partial<Pick<WorkerOptions, 'hooks' | 'leaseMs' | 'safetyPollMs'>> {
  readonly store: Store;
  readonly handlers: Readonly<Record<string, PlainWork>>;
  readonly mode?: ClockMode;
  readonly start?: number;
  readonly node?: string;
  readonly mostRounds?: number;
}

/** Opens a clock and a worker on a store, without the rest of a jar. */
export async function bench(options: BenchOptions): Promise<Bench> {
  const { store, handlers, mode = 'virtual', start = START, node = 'one', mostRounds, ...worker } = options;
  const lines: Line[] = [];
  const note = (level: Line['level']) => (fields: object, message: string) => {
    lines.push({ level, fields: { ...fields }, message });
  };
  const log: WorkLog = { debug: note('debug'), warn: note('warn'), error: note('error') };
  const clock = await openClock({ mode, start, store });
  // The handlers of these tests use only the store and the clock of the jar.
  const jar = { store, clock } as unknown as Jar;
  const bound = Object.entries(handlers).map(([kind, { concurrency = 1, maxAttempts, run }]) => ({
    kind,
    concurrency,
    maxAttempts,
    run: (item: WorkItem, halt: AbortSignal) => run(item, jar, halt),
  }));
  const started = startWorker({ store, clock, handlers: bound, log, ...worker });
  return {
    store,
    clock,
    worker: started,
    lines,
    advance: createAdvance({ store, clock, worker: started, node, mostRounds }),
    schedule: (...work) => scheduleAll(store, work),
    close: async () => {
      await started.stop();
      clock.close();
    },
  };
}

export async function scheduleAll(store: Store, work: readonly NewWork[]): Promise<void> {
  await store.transact(async (tx) => {
    for (const each of work) await tx.schedule(each);
  });
}

/** A handler that records each run with its time, and then calls `more`. */
export function noting(ran: Ran[], more?: (item: WorkItem, jar: Jar) => Promise<void> | void): PlainWork {
  return {
    async run(item, jar) {
      ran.push({ kind: item.kind, payload: item.payload, dueAt: item.dueAt, at: jar.clock.now() });
      await more?.(item, jar);
    },
  };
}

/** A promise and the function that resolves it. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}
