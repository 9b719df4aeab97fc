import type { Origin } from '../../../kernel/arm/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { pagesOf, type Reader, type Tx } from '../../../kernel/store/index.ts';
import {
  mappings,
  ownedKey,
  type Run,
  type RunMode,
  runs,
  type ShareSubscription,
  shareSubscriptions,
  type Trigger,
} from '../collections.ts';
import { sourceOf } from '../consumers/mapping.ts';
import { dataShareErrors } from '../errors.ts';
import type { DataShareJar } from '../jar.ts';
import { RUN, runId } from '../work.ts';

/** A synchronization starts as a queued run, with the work item that executes it. A share subscription has at most one at a time. */

interface Beginning {
  readonly key: string;
  readonly subscription: ShareSubscription;
  readonly mode: RunMode;
  readonly origin?: Origin;
  readonly now: number;
}

/** Throws if no run can begin. The caller's transaction holds a lock on the subscription. */
export async function beginRun(tx: Tx, { key, subscription, mode, origin, now }: Beginning): Promise<Run> {
  const refusal = await refusalOf(tx, subscription);
  if (refusal) throw refusal;
  const id = uuid();
  const run: Run = {
    id,
    subscription: subscription.uid,
    subscriptionKey: key,
    share: subscription.share,
    shareKey: subscription.shareKey,
    mode,
    status: 'Queued',
    queuedAt: now,
    consumer: subscription.consumer,
    ...(origin && { origin }),
  };
  const runKey = ownedKey(subscription.uid, id);
  await tx.put(runs, runKey, run);
  await tx.put(shareSubscriptions, key, { ...subscription, active: { run: id } });
  await tx.schedule(RUN.at(now, { key: runKey }, runId(subscription.uid)));
  return run;
}

async function refusalOf(tx: Tx, { name, uid, status, active }: ShareSubscription): Promise<Error | undefined> {
  if (status !== 'Active') return dataShareErrors.ShareSubscriptionInWrongState({ name, status, wanted: 'Active' });
  if (active) return dataShareErrors.SynchronizationInProgress({ id: active.run, name });
  if (!(await hasSource(tx, uid))) return dataShareErrors.NothingMapped({ name });
  return undefined;
}

async function hasSource(reader: Pick<Reader, 'get' | 'query'>, subscription: string): Promise<boolean> {
  for await (const page of pagesOf(reader, mappings, { prefix: `${subscription}/` }))
    for (const { value } of page) if (await sourceOf(reader, value)) return true;
  return false;
}

/** Called when a trigger fires. If no run can begin, this occurrence is skipped. */
export async function beginByTrigger(tx: Tx, jar: DataShareJar, trigger: Trigger, now: number): Promise<void> {
  const { subscriptionKey: key, synchronizationMode: mode, id } = trigger;
  const subscription = (await tx.get(shareSubscriptions, key))?.value;
  if (subscription?.uid !== trigger.subscription) return;
  const refusal = await refusalOf(tx, subscription);
  if (refusal) jar.log.info({ trigger: id, reason: refusal.message }, 'a trigger could not begin a synchronization');
  else await beginRun(tx, { key, subscription, mode, now });
}
