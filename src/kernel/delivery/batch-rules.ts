import type { Calls } from '../outbound/calls.ts';
import type { BoundPolicy } from './bound-policy.ts';
import type { DeliveryContext } from './context.ts';
import { areValidBatchRules, type BatchRules } from './policy.ts';
import { withinTimeout } from './sending.ts';

/**
 * Batch rules of a destination, fixed for one turn of the pump. If the policy fails to return valid rules, deliveries are sent one by one,
 * so that the error does not block sending.
 */
export async function batchRulesOf(
  { log }: DeliveryContext,
  policy: BoundPolicy,
  destination: string,
  calls: Calls,
): Promise<BatchRules | undefined> {
  const { batch } = policy;
  if (typeof batch !== 'function') return batch;
  try {
    const rules = await withinTimeout(policy, calls, batch(destination));
    if (!areValidBatchRules(rules)) throw new Error('the batch rules are not valid');
    return rules;
  } catch (error) {
    if (!calls.areCancelled)
      log.warn(
        { err: error, policy: policy.name, destination },
        'no valid batch rules: deliveries are sent one by one',
      );
    return undefined;
  }
}
