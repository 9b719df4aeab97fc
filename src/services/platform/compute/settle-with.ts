import type { Store, Tx, WorkItem } from '../../../kernel/store/index.ts';
import { untilSettled } from '../../../kernel/work/index.ts';

/**
 * Settles a claimed item that other writers wake. `prepare` locks documents and returns a function that determines the next due time.
 * Writers lock a document first and then wake its item; if the item were settled first, the handler would wait for the document and the
 * writer for the item.
 */
export const settleWith = (
  store: Pick<Store, 'transact'>,
  item: WorkItem<unknown>,
  prepare: (tx: Tx) => Promise<() => Promise<number | undefined>>,
): Promise<void> =>
  untilSettled(() =>
    store.transact(async (tx) => ((await tx.settle(item, await prepare(tx))) ? 'settled' : 'unsettled')),
  );
