import type { QuotaLimit } from '../../../kernel/limits/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { type EventSubscription, eventSubscriptions, scopeKeyOf } from '../collections.ts';
import { eventErrors } from '../errors.ts';
import type { EventsJar } from '../jar.ts';
import { AT_A_DOMAIN, AT_A_SCOPE } from './types.ts';

const DOMAIN = /\/providers\/vendor\.eventgrid\/domains\/[^/]+$/;

function counted(subscription: EventSubscription): { limit: QuotaLimit; scope: [string] } {
  const scope = scopeKeyOf(subscription);
  return { limit: DOMAIN.test(scope) ? AT_A_DOMAIN : AT_A_SCOPE, scope: [scope] };
}

/** Must be called before a new subscription is written, in the same transaction. */
export async function takeSubscription(
  tx: Tx,
  jar: Pick<EventsJar, 'limits'>,
  subscription: EventSubscription,
): Promise<void> {
  const { limit, scope } = counted(subscription);
  const decision = await jar.limits.takeQuota(tx, {
    limit,
    scope,
    actual: () => tx.count(eventSubscriptions, { filter: { op: 'eq', field: 'scope', value: scope[0] } }),
  });
  if (decision.allowed) return;
  const place = `at the scope '${subscription.topic}'`;
  throw eventErrors.QuotaReached({ limit: decision.maximum, unit: limit.unit ?? '', place });
}

export async function freeSubscription(
  tx: Tx,
  jar: Pick<EventsJar, 'limits'>,
  subscription: EventSubscription,
): Promise<void> {
  await jar.limits.freeQuota(tx, counted(subscription));
}
