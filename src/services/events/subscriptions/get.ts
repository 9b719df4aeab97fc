import type { ArmFacts } from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import { type EventSubscription, eventSubscriptions } from '../collections.ts';
import { eventErrors } from '../errors.ts';
import { armCode, type EventsCall } from '../jar.ts';
import { PARAMS, type Place, placeOf } from './place.ts';
import { SubscriptionView } from './schema.ts';
import { readParent } from './scope.ts';
import { subscriptionView } from './view.ts';

export const get = armCode(PARAMS, {
  responses: { 200: SubscriptionView },
  async handle(call, arm) {
    const found = await findSubscription(call, arm, placeOf(call, arm));
    return ok(subscriptionView(call, found));
  },
});

/** Throws 404: for the parent if that does not exist either. */
export async function findSubscription(
  call: Pick<EventsCall, 'jar'>,
  arm: ArmFacts,
  place: Place,
): Promise<EventSubscription> {
  const stored = await readCached(call.jar.store, eventSubscriptions, place.key);
  if (stored) return stored.value;
  await readParent(call.jar, place, arm);
  throw eventErrors.ResourceNotFound({ name: place.name, scope: place.scope });
}
