import { endOperation } from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { removals } from '../collections.ts';
import { PURGE, type Remains } from '../work.ts';

/** Schedules the removal of the remains of a deleted resource. If the deletion has an operation, that operation waits for it. */
export async function removeLater(tx: Tx, remains: Remains, now: number): Promise<void> {
  const { operation } = remains;
  if (operation !== undefined) {
    const left = (await tx.get(removals, operation))?.value.left ?? 0;
    await tx.put(removals, operation, { left: left + 1 });
  }
  await tx.schedule(PURGE.at(now, remains));
}

/** Ends one of an operation's removals. The last one ends the operation. */
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
