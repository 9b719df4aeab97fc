import { deleteAll, type Reader, type Store, type Tx } from '../../../kernel/store/index.ts';
import { type CopiedFile, copied, copiedKey, copyProgress, ledgerPrefix, progressKey } from './collections.ts';
import type { CopyTally, CopyTask } from './task.ts';

/** The ledger entries for these target names, by name. */
export async function readLedger(
  store: Pick<Reader, 'query'>,
  ledger: string,
  targets: readonly string[],
): Promise<ReadonlyMap<string, CopiedFile>> {
  if (targets.length === 0) return new Map();
  const values = targets.map((target) => copiedKey(ledger, target));
  const { items } = await store.query(copied, { filter: { op: 'in', field: 'key', values }, limit: values.length });
  return new Map(items.map(({ value }) => [value.target, value]));
}

/** Deletes the ledger of a mapping and the progress of its runs, in slices. The copied files stay at the target. */
export async function forgetLedger(store: Pick<Store, 'transact'>, ledger: string): Promise<void> {
  const prefix = ledgerPrefix(ledger);
  await deleteAll(store, copied, { prefix });
  await deleteAll(store, copyProgress, { prefix });
}

/** Deletes the progress of one run. */
export async function forgetProgress(tx: Tx, task: Pick<CopyTask, 'ledger' | 'run'>): Promise<void> {
  await tx.delete(copyProgress, progressKey(task));
}

/** The tally of a run so far. Returns undefined if it has not begun. */
export async function tallyOf(
  store: Pick<Reader, 'get'>,
  task: Pick<CopyTask, 'ledger' | 'run'>,
): Promise<CopyTally | undefined> {
  return (await store.get(copyProgress, progressKey(task)))?.value.tally;
}
