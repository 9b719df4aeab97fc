import type { Calls } from '../outbound/calls.ts';
import type { BoundPolicy } from './bound-policy.ts';
import type { DeliveryContext } from './context.ts';
import { arePossible, type BatchRules } from './policy.ts';
import { inTime } from './sending.ts';

/**
 * The rules that hold for a destination as long as a turn of sending to it lasts. Where the policy fails to say, each delivery goes alone: a
 * mistake there must not keep anything from being sent.
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
    const rules = await inTime(policy, calls, batch(destination));
    if (!arePossible(rules)) throw new Error('the batch rules are impossible');
    return rules;
  } catch (error) {
    if (!calls.takenBack) log.warn({ err: error, policy: policy.name, destination }, 'there are no batch rules');
    return undefined;
  }
}
