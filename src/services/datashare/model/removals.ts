import { endOperation } from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { removals } from '../collections.ts';
import { PURGE, type Remains } from '../work.ts';

/** Removes what is left of something, by and by; the operation that it belongs to, if there is one, waits for it. */
export async function removeLater(tx: Tx, remains: Remains, now: number): Promise<void> {
  const { operation } = remains;
  if (operation !== undefined) {
    const left = (await tx.get(removals, operation))?.value.left ?? 0;
    await tx.put(removals, operation, { left: left + 1 });
  }
  await tx.schedule(PURGE.at(now, remains));
}

/** One of the removals of an operation is done; the last one ends it. */
export async function removed(tx: Tx, operation: string | undefined, now: number): Promise<void> {
  if (operation === undefined) return;
  const left = (await tx.get(removals, operation))?.value.left ?? 1;
  if (left > 1) {
    await tx.put(removals, operation, { left: left - 1 });
    return;
  }
  await tx.delete(removals, operation);
  await endOperation(tx, operation, { status: 'Succeeded' }, now);
}
