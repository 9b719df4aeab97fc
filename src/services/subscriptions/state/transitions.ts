import {
  type Origin,
  originOf,
  recordOutcome,
  type Subscription,
  subscriptionPath,
  subscriptions,
} from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { type Transition, transitions } from '../collections.ts';
import type { SubscriptionsCall, SubscriptionsJar } from '../jar.ts';
import type { Settings } from '../settings-table.ts';
import { CHANGE_STATE, stateWorkId } from '../work.ts';

type Target = Transition['to'];

/**
 * The transitions of a cancelled subscription: delay until the state, the states it starts from, and the state that follows automatically.
 */
const WAYS: Readonly<
  Record<
    Target,
    { readonly after: keyof Settings; readonly from: readonly Subscription['state'][]; readonly next?: Target }
  >
> = {
  Warned: { after: 'cancellationTime', from: ['Enabled', 'PastDue'], next: 'Disabled' },
  Disabled: { after: 'warnedTime', from: ['Warned'] },
  Enabled: { after: 'enablingTime', from: ['Warned', 'Disabled', 'PastDue'] },
};

/** Idempotent: a second cancellation does not change the time of the first. */
export async function requestCancellation(tx: Tx, call: SubscriptionsCall, subscription: Subscription): Promise<void> {
  const key = subscription.subscriptionId.toLowerCase();
  const pending = (await tx.get(transitions, key))?.value;
  if (pending?.to !== 'Warned') await plan(tx, call.jar, key, 'Warned', originOf(call));
}

/** Withdraws a cancellation that has not taken effect yet; otherwise schedules the return to Enabled. */
export async function requestEnabling(
  tx: Tx,
  call: SubscriptionsCall,
  { subscriptionId, state }: Subscription,
): Promise<void> {
  const key = subscriptionId.toLowerCase();
  const pending = (await tx.get(transitions, key))?.value;
  if (pending?.to === 'Enabled') return;
  if (state === 'Enabled') await withdraw(tx, key, pending);
  else await plan(tx, call.jar, key, 'Enabled', originOf(call));
}

async function withdraw(tx: Tx, key: string, pending: Transition | undefined): Promise<void> {
  if (!pending) return;
  await tx.delete(transitions, key);
  await tx.cancel(stateWorkId(key, pending.to));
}

/** Replaces any scheduled transition: a subscription has at most one. */
async function plan(tx: Tx, jar: SubscriptionsJar, key: string, to: Target, origin: Origin): Promise<void> {
  await withdraw(tx, key, (await tx.get(transitions, key))?.value);
  const at = jar.clock.now() + (await jar.settings.within(tx))[WAYS[to].after];
  await tx.put(transitions, key, { to, at, origin });
  await tx.schedule(CHANGE_STATE.at(at, { key, to }, stateWorkId(key, to)));
}

/** Moves a subscription to its next state, and schedules the following one. */
export const changeState = workHandler(CHANGE_STATE, (item, jar: SubscriptionsJar) =>
  jar.store.transact(async (tx) => {
    const { key, to } = item.payload;
    // The same lock order as in requests that change the state: the subscription first.
    const subscription = (await tx.get(subscriptions, key))?.value;
    const pending = (await tx.get(transitions, key))?.value;
    if (pending?.to === to && subscription) await arrive(tx, jar, subscription, pending);
    await tx.complete(item);
  }),
);

async function arrive(
  tx: Tx,
  jar: SubscriptionsJar,
  subscription: Subscription,
  { to, origin }: Transition,
): Promise<void> {
  const { from, next } = WAYS[to];
  const key = subscription.subscriptionId.toLowerCase();
  await tx.delete(transitions, key);
  if (!from.includes(subscription.state)) return;
  await tx.put(subscriptions, key, { ...subscription, state: to });
  await recordOutcome(tx, writeOf(origin, subscription), jar.clock.now(), 'Succeeded');
  if (next) await plan(tx, jar, key, next, origin);
}

/** The action was recorded with its request; the resulting state change is recorded as a write of the subscription by the same caller. */
const writeOf = (origin: Origin, { subscriptionId }: Subscription): Origin => ({
  ...origin,
  operationName: 'Vendor.Resources/subscriptions/write',
  effect: 'write',
  resourceUri: subscriptionPath(subscriptionId),
});
