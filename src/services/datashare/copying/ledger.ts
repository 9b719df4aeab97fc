import { deleteAll, type Reader, type Store, type Tx } from '../../../kernel/store/index.ts';
import { type CopiedFile, copied, copiedKey, copyProgress, ledgerPrefix, progressKey } from './collections.ts';
import type { CopyTally, CopyTask } from './task.ts';

/** What earlier runs have copied to these names, by the name. */
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

/** Forgets all that the runs of a ledger have copied, and how far they had come, in slices. The files stay where they are. */
export async function forgetLedger(store: Pick<Store, 'transact'>, ledger: string): Promise<void> {
  const prefix = ledgerPrefix(ledger);
  await deleteAll(store, copied, { prefix });
  await deleteAll(store, copyProgress, { prefix });
}

/** Forgets how far one run has come. */
export async function forgetProgress(tx: Tx, task: Pick<CopyTask, 'ledger' | 'run'>): Promise<void> {
  await tx.delete(copyProgress, progressKey(task));
}

/** What a run has done so far; nothing where it has not begun. */
export async function tallyOf(
  store: Pick<Reader, 'get'>,
  task: Pick<CopyTask, 'ledger' | 'run'>,
): Promise<CopyTally | undefined> {
  return (await store.get(copyProgress, progressKey(task)))?.value.tally;
}
