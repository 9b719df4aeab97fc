import { uuid } from '../kernel/ids/index.ts';
import type { ServiceHost } from '../kernel/service/host.ts';
import type { Jar } from '../kernel/service/jar.ts';
import { createSnapshots, type SeedFile, type Snapshots } from '../kernel/snapshots/index.ts';
import { type Advance, createAdvance, startWorker, type Worker } from '../kernel/work/index.ts';
import { VERSION } from '../version.ts';
import { type Observer, observeWork } from './observe.ts';
import type { Seed } from './seed.ts';
import { seedFromSnapshot } from './seed-snapshot.ts';
import { markSeeded, noteSeeded, seedMissing } from './self.ts';
import type { JarState } from './state.ts';
import type { Undo } from './undo.ts';

/** Operations on a jar as a whole. */
export interface Running {
  readonly worker: Worker;
  readonly snapshots: Snapshots;
  readonly advance: Advance;
  reset(): Promise<void>;
}

export interface RunOptions {
  readonly state: JarState;
  readonly jar: Jar;
  readonly host: ServiceHost;
  readonly seed: Seed;
  readonly observer: Observer;
}

/** Share of the shutdown time for running work. */
const SHARE_OF_WORK = 0.25;

/** Seeds missing sections, opens the eager services, and starts the worker. */
export async function run({ state, jar, host, seed, observer }: RunOptions, undo: Undo): Promise<Running> {
  const { store, clock, log, limits, delivery, feed } = jar;
  const seedWhatIsMissing = (): Promise<void> =>
    seedMissing(store, seed.sections, async (missing) => {
      const apply = await seed.prepare(missing);
      return (tx, left) => apply(tx, left, jar, clock.now());
    });
  /** The only way in which memory is notified that all state was replaced. */
  const forget = async (): Promise<void> => {
    await limits.reset();
    await host.stateReplaced();
  };
  const restored = async (): Promise<void> => {
    // A snapshot may be older than a service.
    await seedWhatIsMissing();
    await forget();
  };
  const { vault, collections, work, report } = state;
  let started: Worker | undefined;
  const snapshots = createSnapshots({
    store,
    clock,
    vault,
    // A jar can start from a snapshot, before there is a worker to pause.
    worker: { pause: async () => started?.pause(), resume: () => started?.resume() },
    version: VERSION,
    collections,
    work,
    forget: restored,
    report,
    warn: (line) => log.warn(line),
  });
  const { passphrase, clockStart } = jar.config;
  const seedFile: SeedFile | undefined =
    seed.snapshot === undefined ? undefined : { path: seed.snapshot, passphrase, clockStart };
  if (seedFile) await seedFromSnapshot(store, snapshots, seedFile);
  await seedWhatIsMissing();
  await host.openEager();

  delivery.observe(observer.delivery);
  delivery.watch(observer.sent);
  const handlers = [...delivery.work, ...feed.work, ...host.work()];
  const worker = startWorker({ store, clock, handlers, log, hooks: observeWork(observer) });
  started = worker;
  undo.add('ending the due work', () => worker.stop(jar.config.shutdownTimeoutMs * SHARE_OF_WORK));
  const advance = createAdvance({ store, clock, worker, node: uuid() });

  const reset = async (): Promise<void> => {
    if (seedFile) return void (await snapshots.restoreSeed(seedFile, markSeeded));
    const apply = await seed.prepare(seed.sections);
    await worker.pause();
    try {
      await store.wipe(async (tx) => {
        const now = await clock.reset(tx);
        await apply(tx, seed.sections, jar, now);
        await noteSeeded(tx, seed.sections);
      });
      await forget();
    } finally {
      worker.resume();
    }
  };
  return { worker, snapshots, advance, reset };
}
