import { readAll, readCached, type WorkItem } from '../../../kernel/store/index.ts';
import { SECOND_MS } from '../../../kernel/time/index.ts';
import { settle, workHandler } from '../../../kernel/work/index.ts';
import {
  type Mapping,
  mappings,
  ownedKey,
  type Run,
  type RunDataSet,
  runDataSets,
  runs,
  type ShareSubscription,
  type StopReason,
  shareSubscriptions,
} from '../collections.ts';
import type { CopyWatch } from '../copying/index.ts';
import type { DataShareJar } from '../jar.ts';
import { EgressThrottled } from '../storage/egress.ts';
import { RUN } from '../work.ts';
import { copyDataSet } from './copy.ts';
import { endRun, type RunEnd } from './end.ts';
import { DeletedDuringRun, holdRun } from './hold.ts';
import { isOver } from './view.ts';

/** Attempts per run, including attempts during which the process died: a run that kills every process must end eventually. */
const MOST_ATTEMPTS = 10;

const STOPPED: Readonly<Record<StopReason | 'gone', RunEnd>> = {
  cancelled: { status: 'Cancelled' },
  revoked: { status: 'Failed', message: 'The provider revoked the share.' },
  expired: { status: 'Failed', message: 'The share subscription expired.' },
  'source deleted': { status: 'Failed', message: 'The provider deleted the share.' },
  gone: { status: 'Cancelled' },
};

/** Executes a run, data set by data set. Each copied file is recorded, so that a restarted jar or another node can resume. */
export const runSynchronization = workHandler(RUN, async (item, jar: DataShareJar, halt) => {
  const run = await claimRun(item, jar);
  if (!run) return;
  try {
    await goOn(item, jar, run, halt);
  } catch (error) {
    if (error instanceof EgressThrottled) {
      // Resumes later; waiting does not count as a failed attempt.
      await settle(jar.store, item, async () => jar.clock.now() + error.retryAfterSeconds * SECOND_MS);
      return;
    }
    if (!(error instanceof DeletedDuringRun && error.what === 'run')) throw error;
    // Share and share subscription were deleted together with the run, so its end is not reported.
    await jar.store.transact((tx) => tx.complete(item));
  }
});

async function goOn(item: WorkItem<unknown>, jar: DataShareJar, run: Run, halt: AbortSignal): Promise<void> {
  if (item.attempts >= MOST_ATTEMPTS) return end(item, jar, run, givenUp(item.attempts));
  const isHalted = (): boolean => halt.aborted || jar.closing.aborted;
  const watch: CopyWatch = {
    proceed: async () => !isHalted() && (await stopOf(jar, run)) === undefined,
    guard: (tx) => holdRun(tx, run),
  };
  for (const { value: mapping } of await readAll(jar.store, mappings, { prefix: `${run.subscription}/` })) {
    if (await isDone(jar, run, mapping)) continue;
    const isCopied = (await watch.proceed()) && (await copyDataSet(jar, run, mapping, watch));
    if (!isCopied) break;
  }
  const reason = await stopOf(jar, run);
  if (reason !== undefined) return end(item, jar, run, STOPPED[reason]);
  if (!isHalted()) return end(item, jar, run, await summary(jar, run));
  // The jar is closing or due work is paused, so the run resumes later. Waits until work has stopped; otherwise the item would be taken
  // again at once.
  await aborted(halt);
  await settle(jar.store, item, async () => jar.clock.now());
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const givenUp = (attempts: number): RunEnd => ({
  status: 'Failed',
  message: `The synchronization was abandoned after ${attempts} attempts.`,
});

/** Claims the run for this work item. Returns undefined if there is nothing left to do. */
function claimRun(item: WorkItem<{ readonly key: string }>, { store, clock }: DataShareJar): Promise<Run | undefined> {
  return store.transact(async (tx) => {
    const { key } = item.payload;
    const run = (await tx.get(runs, key))?.value;
    if (!run || isOver(run)) {
      await tx.complete(item);
      return undefined;
    }
    const { startTime = clock.now() } = run;
    const taken: Run = { ...run, status: 'InProgress', startTime, holder: item.lease };
    await tx.put(runs, key, taken);
    return taken;
  });
}

/** The reason to stop a run; `gone` means that its share subscription was deleted. */
async function stopOf({ store }: DataShareJar, run: Run): Promise<StopReason | 'gone' | undefined> {
  const subscription = (await readCached(store, shareSubscriptions, run.subscriptionKey))?.value;
  if (!isOf(subscription, run)) return 'gone';
  return subscription.active?.stop;
}

const isOf = (subscription: ShareSubscription | undefined, run: Run): subscription is ShareSubscription =>
  subscription?.uid === run.subscription && subscription.active?.run === run.id;

async function isDone({ store }: DataShareJar, { id }: Run, { dataSetId }: Mapping): Promise<boolean> {
  const done = (await store.get(runDataSets, ownedKey(id, dataSetId)))?.value;
  return done !== undefined && isOver(done);
}

/** Unfinished data sets end with the same status as the run. */
async function end(item: WorkItem<unknown>, { store, clock }: DataShareJar, run: Run, how: RunEnd): Promise<void> {
  await store.transact(async (tx) => {
    await holdRun(tx, run);
    const now = clock.now();
    for (const { key, value } of await readAll(tx, runDataSets, { prefix: `${run.id}/` }))
      if (!isOver(value))
        await tx.put(runDataSets, key, { ...value, ...how, endTime: now, durationMs: now - value.startTime });
    await endRun(tx, run, how, now);
    await tx.complete(item);
  });
}

const LONGEST_MESSAGE = 2000;

/** Succeeded if every data set was copied; otherwise failed, with the message of the first failure. */
async function summary({ store }: DataShareJar, { id }: Run): Promise<RunEnd> {
  const all = (await readAll(store, runDataSets, { prefix: `${id}/` })).map(({ value }) => value);
  const failed = all.filter(({ status }: RunDataSet) => status === 'Failed');
  const [first] = failed;
  if (!first) return { status: 'Succeeded' };
  const say = (message = ''): string =>
    `${failed.length} of ${all.length} data sets failed. '${first.name}': ${message}`.slice(0, LONGEST_MESSAGE);
  const { message, providerMessage } = first;
  return {
    status: 'Failed',
    message: say(message),
    ...(providerMessage !== undefined && { providerMessage: say(providerMessage) }),
  };
}
