import type { Store, Tx, WorkItem } from '../../../kernel/store/index.ts';
import { untilSettled } from '../../../kernel/work/index.ts';

/**
 * Ends a claimed item that others wake. `prepare` locks documents and gives what decides when the item runs again. Writers lock a document first and
 * wake its item then; an item that was settled first would wait for the document, and the writer for the item.
 */
export const settleWith = (
  store: Pick<Store, 'transact'>,
  item: WorkItem<unknown>,
  prepare: (tx: Tx) => Promise<() => Promise<number | undefined>>,
): Promise<void> =>
  untilSettled(() =>
    store.transact(async (tx) => ((await tx.settle(item, await prepare(tx))) ? 'settled' : 'unsettled')),
  );
