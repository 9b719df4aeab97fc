import { type Subscription, subscriptions } from '../../../kernel/arm/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { FINISH_REGISTRATION } from './work-items.ts';

/** Completes a registration or unregistration. */
export const finishRegistration = workHandler(FINISH_REGISTRATION, async (item, { store }: Jar) => {
  const { subscriptionId, namespace } = item.payload;
  await store.transact(async (tx) => {
    const found = (await tx.get(subscriptions, subscriptionId))?.value;
    const settled = found && settledState(found, namespace);
    if (settled) await tx.put(subscriptions, subscriptionId, settled);
    await tx.complete(item);
  });
});

const SETTLED = { Registering: 'Registered', Unregistering: 'Unregistered' } as const;

function settledState(subscription: Subscription, namespace: string): Subscription | undefined {
  const { registrations } = subscription;
  const state = registrations[namespace];
  if (state !== 'Registering' && state !== 'Unregistering') return undefined;
  return { ...subscription, registrations: { ...registrations, [namespace]: SETTLED[state] } };
}
