import { createHash } from 'node:crypto';
import type { DueDelivery } from '../../../kernel/delivery/index.ts';

const HASH_DIGITS = 16;

/**
 * The same for every try of the same deliveries. Others may have come along by the next try after a kill, and then it is another message: one
 * that is taken for the former would lose them.
 */
export function messageId(batch: readonly Pick<DueDelivery, 'id'>[]): string {
  const [first, ...others] = batch.map(({ id }) => id) as [string, ...string[]];
  if (others.length === 0) return first;
  return `${first}-${createHash('sha256').update(others.join(' ')).digest('hex').slice(0, HASH_DIGITS)}`;
}
