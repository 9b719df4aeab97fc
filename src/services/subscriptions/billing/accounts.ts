import { readCached } from '../../../kernel/store/index.ts';
import { type BillingAccount, billingAccounts } from '../collections.ts';
import { subscriptionErrors } from '../errors.ts';
import type { SubscriptionsCall } from '../jar.ts';
import { BILLING_NAMESPACE } from '../names.ts';
import { callerOf } from '../roles.ts';
import { isAmong } from './check.ts';

export const ACCOUNT_TYPE = `${BILLING_NAMESPACE}/billingAccounts`;
export const ACCOUNTS_PATH = `/providers/${ACCOUNT_TYPE}`;

/** An account is visible to principals who may create subscriptions with it. */
export async function findAccount(call: SubscriptionsCall, name: string): Promise<BillingAccount> {
  const found = (await readCached(call.jar.store, billingAccounts, name.toLowerCase()))?.value;
  if (!found || !isAmong(found.creators, callerOf(call).objectId))
    throw subscriptionErrors.BillingAccountNotFound({ account: name });
  return found;
}
