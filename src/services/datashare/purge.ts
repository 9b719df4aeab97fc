import { endOperation } from '../../kernel/arm/index.ts';
import {
  deletionSteps,
  eq,
  pagesOf,
  type Query,
  type Store,
  type Tx,
  type WorkItem,
} from '../../kernel/store/index.ts';
import { runInSteps, workHandler } from '../../kernel/work/index.ts';
import {
  dataSets,
  invitations,
  mappings,
  type Run,
  runDataSets,
  runs,
  type ShareSubscription,
  shareSubscriptions,
  shares,
  synchronizationSettings,
} from './collections.ts';
import { removeTriggers } from './consumers/trigger.ts';
import type { DataShareJar } from './jar.ts';
import { type NamedQuota, QUOTAS } from './limits.ts';
import { removed, removeLater } from './model/removals.ts';
import { forgetCopies, forgetMapping } from './runs/ledger.ts';
import { stopTriggers } from './shares/setting.ts';
import { expiryId, PURGE, type Remains } from './work.ts';

/** Removes the contents of a deleted resource in slices. They can no longer be found: a resource in its place has another uid. */

const SLICE = 50;

type Step = () => Promise<boolean>;

export const purge = workHandler(PURGE, async (item, jar: DataShareJar, halt) => {
  const finish: Step = async () => {
    await jar.store.transact((tx) => end(tx, item, jar));
    return false;
  };
  await runInSteps(item, jar, halt, [...STEPS[item.payload.of](jar, item.payload), finish]);
});

async function end(tx: Tx, item: WorkItem<Remains>, { clock }: DataShareJar): Promise<void> {
  await removed(tx, item.payload.operation, clock.now());
  await tx.complete(item);
}

/** Contained resources get their own removals, for which the same operation waits. */
const part = (tx: Tx, { clock }: DataShareJar, whole: Remains, of: Remains['of'], uid: string): Promise<void> =>
  removeLater(tx, { ...whole, of, uid }, clock.now());

const STEPS: Readonly<Record<Remains['of'], (jar: DataShareJar, remains: Remains) => readonly Step[]>> = {
  account: (jar, remains) => [
    slices(jar.store, shares, { prefix: `${remains.uid}/` }, async (tx, key, { uid: share }) => {
      await tx.delete(shares, key);
      await part(tx, jar, remains, 'share', share);
    }),
    slices(jar.store, shareSubscriptions, { prefix: `${remains.uid}/` }, async (tx, key, subscription) => {
      await tx.delete(shareSubscriptions, key);
      await forgetSubscription(tx, subscription, jar);
      await part(tx, jar, remains, 'subscription', subscription.uid);
    }),
    freeing(jar, remains.uid, [QUOTAS.share, QUOTAS.subscription]),
  ],
  share: (jar, { uid }) => [
    once((tx) => loseSource(tx, uid), jar.store),
    once((tx) => stopTriggers(tx, uid, 'SourceSynchronizationSettingDeleted'), jar.store),
    slices(jar.store, invitations, { prefix: `${uid}/` }, async (tx, key, { uid: invitation }) => {
      await tx.cancel(expiryId(invitation));
      await tx.delete(invitations, key);
    }),
    deletionSteps(jar.store, dataSets, { prefix: `${uid}/` }),
    deletionSteps(jar.store, synchronizationSettings, { prefix: `${uid}/` }),
    runsWithoutConsumer(jar.store, uid),
    freeing(jar, uid, [QUOTAS.dataSet, QUOTAS.invitation, QUOTAS.setting]),
  ],
  subscription: (jar, remains) => [
    once((tx) => removeTriggers(tx, remains.uid), jar.store),
    slices(jar.store, mappings, { prefix: `${remains.uid}/` }, async (tx, key, mapping) => {
      await tx.delete(mappings, key);
      await forgetMapping(tx, mapping, jar, remains.operation);
    }),
    runsWithoutShare(jar.store, remains.uid),
    freeing(jar, remains.uid, [QUOTAS.mapping, QUOTAS.trigger]),
  ],
  mapping: (jar, remains) => [
    async () => {
      await forgetCopies(jar, remains);
      return false;
    },
  ],
  setting: () => [],
  trigger: () => [],
};

/** A step with a single transaction. */
const once =
  (action: (tx: Tx) => Promise<void>, store: Store): Step =>
  async () => {
    await store.transact(action);
    return false;
  };

/** Processes the documents that a query finds; processing must remove them from the query's results. */
function slices<T>(
  store: Store,
  from: Parameters<typeof pagesOf<T>>[1],
  query: Pick<Query, 'prefix' | 'filter'>,
  handle: (tx: Tx, key: string, document: T) => Promise<void>,
): Step {
  return () =>
    store.transact(async (tx) => {
      const { items, next } = await tx.query(from, { ...query, limit: SLICE });
      for (const { key, value } of items) await handle(tx, key, value);
      return next !== undefined;
    });
}

/** Frees the quotas counted for a deleted owner. */
const freeing =
  ({ store, limits }: DataShareJar, uid: string, quotas: readonly NamedQuota[]): Step =>
  async () => {
    await store.transact(async (tx) => {
      for (const limit of quotas) await limits.freeQuota(tx, { limit, scope: [uid], count: Number.MAX_SAFE_INTEGER });
    });
    return false;
  };

/** Runs in the transaction that deletes a share subscription, and ends its expiry and revocation. */
export async function forgetSubscription(
  tx: Tx,
  { uid, revocation }: ShareSubscription,
  { clock }: DataShareJar,
): Promise<void> {
  await tx.cancel(expiryId(uid));
  // The revocation was waiting for a run to stop, which will no longer report its end.
  if (revocation !== undefined) await endOperation(tx, revocation, { status: 'Succeeded' }, clock.now());
  // A current run detects by itself that its share subscription is gone.
}

/** Consumers of a deleted share keep their subscriptions, which show that the source is deleted. */
async function loseSource(tx: Tx, share: string): Promise<void> {
  for await (const page of pagesOf(tx, shareSubscriptions, { filter: eq('share', share) }))
    for (const { key } of page) {
      const subscription = (await tx.get(shareSubscriptions, key))?.value;
      if (subscription?.share !== share) continue;
      const { active } = subscription;
      await tx.put(shareSubscriptions, key, {
        ...subscription,
        status: 'SourceDeleted',
        ...(active && { active: { ...active, stop: 'source deleted' } }),
      });
    }
}

/** Both sides see a run's history, so it is removed after both are deleted. */
const runsWithoutConsumer = (store: Store, share: string): Step =>
  runSlices(store, eq('share', share), async (tx, run) => {
    const consumer = (await tx.get(shareSubscriptions, run.subscriptionKey, 'none'))?.value;
    return consumer?.uid !== run.subscription;
  });

const runsWithoutShare = (store: Store, subscription: string): Step =>
  runSlices(store, eq('subscription', subscription), async (tx, run) => {
    const share = (await tx.get(shares, run.shareKey, 'none'))?.value;
    return share?.uid !== run.share;
  });

function runSlices(store: Store, filter: Query['filter'], isGone: (tx: Tx, run: Run) => Promise<boolean>): Step {
  let after: Query['after'];
  return () =>
    store.transact(async (tx) => {
      const page = await tx.query(runs, { filter, order: [{ field: 'key' }], limit: SLICE, ...(after && { after }) });
      for (const { key, value } of page.items) {
        // Locked before its details are read, because a current run still adds details.
        if (!(await tx.get(runs, key)) || !(await isGone(tx, value))) continue;
        for await (const details of pagesOf(tx, runDataSets, { prefix: `${value.id}/` }))
          for (const each of details) await tx.delete(runDataSets, each.key);
        await tx.delete(runs, key);
      }
      after = page.next;
      return after !== undefined;
    });
}
