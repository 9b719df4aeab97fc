import type { Stored } from '../store/types.ts';
import type { BatchRules } from './policy.ts';
import type { DeliveryRecord } from './records.ts';

/** Number of waiting deliveries, from the first, that form the next message: at least one, and at most what the batch rules allow. */
export function batchLength(
  waiting: readonly Pick<Stored<Pick<DeliveryRecord, 'bodyBytes'>>, 'value'>[],
  batch: BatchRules | undefined,
): number {
  if (!batch || waiting.length === 0) return Math.min(waiting.length, 1);
  const { maxItems, maxBytes = Number.POSITIVE_INFINITY } = batch;
  let bytes = waiting[0]!.value.bodyBytes;
  let length = 1;
  while (length < maxItems && length < waiting.length) {
    bytes += waiting[length]!.value.bodyBytes;
    if (bytes > maxBytes) break;
    length += 1;
  }
  return length;
}

/** Memory that a message needs; 0 if its body is in its record and therefore small. */
export function memoryOf(taken: readonly Stored<DeliveryRecord>[]): number {
  if (taken.length === 1 && taken[0]?.value.body !== undefined) return 0;
  return taken.reduce((sum, { value }) => sum + value.bodyBytes, 0);
}
