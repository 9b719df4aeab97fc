import { etag } from '../../../kernel/ids/index.ts';
import type { Store } from '../../../kernel/store/index.ts';
import { timeLines } from './collections.ts';

/**
 * Changes of a mailbox are numbered, and after a restored snapshot the same numbers are used again. So the jar's state has a name that
 * every reset and every restored snapshot changes; a delta token contains the name under which it was created.
 */
const KEY = 'current';

export const currentLine = async (store: Store): Promise<string> =>
  (await store.cached(timeLines, KEY))?.value.name ?? 'first';

/** Invalidates all delta tokens after the whole state was replaced. */
export const beginLine = (store: Store): Promise<void> =>
  store.transact(async (tx) => {
    await tx.put(timeLines, KEY, { name: etag() });
  });
