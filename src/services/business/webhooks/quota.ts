import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import { subscriptions } from './collection.ts';
import { SUBSCRIPTIONS } from './limits.ts';

const placeOf = (tenantId: string) => ({ limit: SUBSCRIPTIONS, scope: [tenantId] });

/** Must be called before a new subscription is written, in the same transaction. */
export async function takeSubscription(tx: Tx, { limits }: Pick<Jar, 'limits'>, tenantId: string): Promise<void> {
  const actual = (): Promise<number> => tx.count(subscriptions, { prefix: `${tenantId}/` });
  const { allowed, maximum } = await limits.takeQuota(tx, { ...placeOf(tenantId), actual });
  if (!allowed) throw tooMany(maximum);
}

/**
 * Checked before the handshake, so that no receiver agrees to a subscription that cannot be created. The binding check happens when the
 * subscription is written.
 */
export async function checkQuota({ limits }: Pick<Jar, 'limits'>, tenantId: string): Promise<void> {
  const { used, maximum } = await limits.quotaStanding(SUBSCRIPTIONS, [tenantId]);
  if (used >= maximum && limits.overrides.of(SUBSCRIPTIONS, [tenantId]).mode === 'enforced') throw tooMany(maximum);
}

export const freeSubscription = (tx: Tx, { limits }: Pick<Jar, 'limits'>, tenantId: string): Promise<void> =>
  limits.freeQuota(tx, placeOf(tenantId));

const tooMany = (maximum: number): Error =>
  errors.Application_DialogException({
    reason: `There are ${maximum} webhook subscriptions already, which is the maximum of this environment (ApiSubscriptionMaxNumberOfSubscriptions). Delete one that is not needed, or let it expire.`,
  });
