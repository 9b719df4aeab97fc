import { createHash } from 'node:crypto';
import type { DueDelivery } from '../../../kernel/delivery/index.ts';

const HASH_DIGITS = 16;

/**
 * The same for every attempt with the same deliveries. After a crash the batch may contain further deliveries; it then needs another id,
 * because a receiver that deduplicates would drop them.
 */
export function messageId(batch: readonly Pick<DueDelivery, 'id'>[]): string {
  const [first, ...others] = batch.map(({ id }) => id) as [string, ...string[]];
  if (others.length === 0) return first;
  return `${first}-${createHash('sha256').update(others.join(' ')).digest('hex').slice(0, HASH_DIGITS)}`;
}
