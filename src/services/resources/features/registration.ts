import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import type { Feature } from './catalogue.ts';
import { type FeatureRegistration, type FeatureState, featureKey, featureRegistrations } from './collections.ts';
import { FINISH_FEATURE, featureWorkId } from './work-items.ts';

/** Starts a registration. Due work grants it, or it stays pending until the provider approves it, which no provider of a jar does. */
export const register = (tx: Tx, subscriptionId: string, feature: Feature, now: number): Promise<FeatureRegistration> =>
  change(tx, subscriptionId, feature, now, (state) => {
    if (state === 'Registered' || state === 'Registering' || state === 'Pending') return state;
    return feature.approval === 'AutoApproval' ? 'Registering' : 'Pending';
  });

/** Registers by a PUT of the resource. As in the real service, the answer already says `Registered` if no approval is required. */
export const registerAtOnce: typeof register = (tx, subscriptionId, feature, now) =>
  change(tx, subscriptionId, feature, now, (state) => {
    if (feature.approval === 'AutoApproval') return 'Registered';
    return state === 'Registered' ? state : 'Pending';
  });

export const unregister = (
  tx: Tx,
  subscriptionId: string,
  feature: Feature,
  now: number,
): Promise<FeatureRegistration> =>
  change(tx, subscriptionId, feature, now, (state) =>
    state === undefined || state === 'Unregistered' ? 'Unregistered' : 'Unregistering',
  );

async function change(
  tx: Tx,
  subscriptionId: string,
  { namespace, name }: Feature,
  now: number,
  next: (state: FeatureState | undefined) => FeatureState,
): Promise<FeatureRegistration> {
  const key = featureKey(subscriptionId, namespace, name);
  const before = (await tx.get(featureRegistrations, key))?.value;
  const state = next(before?.state);
  if (before && state === before.state) return before;
  const registration: FeatureRegistration = {
    subscriptionId,
    namespace,
    name,
    state,
    ...(state === 'Registered' && { registeredAt: now }),
  };
  await tx.put(featureRegistrations, key, registration);
  if (isGoing(state)) await tx.schedule(FINISH_FEATURE.at(now, { key }, featureWorkId(key)));
  return registration;
}

const isGoing = (state: FeatureState): boolean => state === 'Registering' || state === 'Unregistering';

export const finishFeature = workHandler(FINISH_FEATURE, async (item, { store, clock }: Jar) => {
  const { key } = item.payload;
  await store.transact(async (tx) => {
    const found = (await tx.get(featureRegistrations, key))?.value;
    if (found?.state === 'Registering')
      await tx.put(featureRegistrations, key, { ...found, state: 'Registered', registeredAt: clock.now() });
    if (found?.state === 'Unregistering') {
      const { registeredAt: _, ...ended } = found;
      await tx.put(featureRegistrations, key, { ...ended, state: 'Unregistered' });
    }
    await tx.complete(item);
  });
});
