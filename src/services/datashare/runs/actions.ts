import { armFacts, originOf, recordOutcome } from '../../../kernel/arm/index.ts';
import { accepted, ok } from '../../../kernel/http/index.ts';
import { awaitCommit } from '../../../kernel/store/index.ts';
import { ownedKey, type Run, runs, shareSubscriptions } from '../collections.ts';
import { dataShareErrors } from '../errors.ts';
import { armCode, type DataShareCall } from '../jar.ts';
import { object, read, text, word } from '../model/body.ts';
import { cachedReader, findSubscription } from '../model/places.ts';
import { runId } from '../work.ts';
import { beginRun } from './begin.ts';
import { endRun } from './end.ts';
import { consumerView, isOver, statusDocument } from './view.ts';

/** Consumer operations on runs: start, cancel, and poll the status. */

const PARAMS = ['accountName', 'shareSubscriptionName'] as const;
const POLL_PARAMS = [...PARAMS, 'synchronizationId'] as const;
const MODE = object({ synchronizationMode: word(['Incremental', 'FullSync'], { default: 'Incremental' }) });
const WHICH = object({ synchronizationId: text({ required: true }) });
/** How long the response to a poll is delayed while the run is in progress. */
const HELD_MS = 1000;

export const synchronize = armCode(PARAMS, {
  body: MODE.schema(),
  bodyOptional: true,
  responses: { 202: 'The queued run; the headers give the URLs of its status' },
  async handle(call, arm) {
    const { synchronizationMode: mode } = read(MODE, call.body, arm.view.rules);
    const origin = originOf(call);
    const { jar } = call;
    const run = await jar.store.transact(async (tx) => {
      const { key, subscription } = await findSubscription(tx, arm, call.params, 'update');
      return beginRun(tx, { key, subscription, mode, origin, now: jar.clock.now() });
    });
    // The activity record is written when the run ends.
    arm.recorded = true;
    return { ...accepted(pollHeaders(call, run)), body: consumerView(run) };
  },
});

/** URLs of the status document and of the run itself. */
function pollHeaders(call: Pick<DataShareCall, 'origin' | 'path' | 'facts'>, { id }: Run): Record<string, string> {
  const subscription = `${call.origin}${call.path.slice(0, call.path.lastIndexOf('/'))}`;
  const version = `?api-version=${armFacts(call).apiVersion}`;
  return {
    'azure-asyncoperation': `${subscription}/synchronizationOperationResults/${id}${version}`,
    location: `${subscription}/shareSubscriptionSynchronizations/${id}${version}`,
  };
}

/** A queued run ends at once; a running one ends after it has stopped. */
export const cancelSynchronization = armCode(PARAMS, {
  body: WHICH.schema(),
  responses: { 200: 'The cancelled run', 202: 'The run, which is stopping' },
  async handle(call, arm) {
    const { synchronizationId: id } = read(WHICH, call.body, arm.view.rules);
    const { jar } = call;
    const origin = originOf(call);
    const run = await jar.store.transact(async (tx) => {
      const { key, subscription } = await findSubscription(tx, arm, call.params, 'update');
      const found = (await tx.get(runs, ownedKey(subscription.uid, id)))?.value;
      if (!found) throw dataShareErrors.SynchronizationNotFound({ id });
      if (isOver(found)) return found;
      const now = jar.clock.now();
      await tx.put(shareSubscriptions, key, { ...subscription, active: { run: found.id, stop: 'cancelled' } });
      await recordOutcome(tx, origin, now, 'Succeeded');
      if (found.status !== 'Queued') return found;
      await tx.cancel(runId(subscription.uid));
      return endRun(tx, found, { status: 'Cancelled' }, now);
    });
    arm.recorded = true;
    if (run.status === 'Cancelled') return ok(consumerView(run));
    if (isOver(run)) throw dataShareErrors.SynchronizationEnded({ id, status: run.status });
    return { ...accepted(pollHeaders(call, run)), body: consumerView(run) };
  },
});

/** The run; waits briefly for its end. */
async function awaitRun(call: DataShareCall<Readonly<Record<(typeof POLL_PARAMS)[number], string>>>): Promise<Run> {
  const { store, closing } = call.jar;
  const { uid } = await findSubscription(cachedReader(store), armFacts(call), call.params);
  const id = call.params.synchronizationId;
  const find = async (): Promise<Run> => {
    const stored = await store.get(runs, ownedKey(uid, id));
    if (!stored) throw dataShareErrors.SynchronizationNotFound({ id });
    return stored.value;
  };
  let run = await find();
  if (isOver(run)) return run;
  await awaitCommit(
    { store, collection: shareSubscriptions, ms: HELD_MS, signals: [closing, call.signal] },
    async () => {
      run = await find();
      return isOver(run);
    },
  );
  return run;
}

export const runStatus = armCode(POLL_PARAMS, {
  handle: async (call) => ok(statusDocument(await awaitRun(call))),
});

export const runResult = armCode(POLL_PARAMS, {
  responses: { 200: 'The ended run', 202: 'The run, which is queued or in progress' },
  async handle(call) {
    const run = await awaitRun(call);
    return { status: isOver(run) ? 200 : 202, body: consumerView(run) };
  },
});
