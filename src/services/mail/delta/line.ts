import { etag } from '../../../kernel/ids/index.ts';
import type { Store } from '../../../kernel/store/index.ts';
import { timeLines } from './collections.ts';

/**
 * Changes of a mailbox are numbered, and a restored snapshot numbers again what it had numbered before. So the jar's state has a name, which
 * every reset and every restored snapshot changes; a delta token carries the name that it was made under.
 */
const KEY = 'current';

export const currentLine = async (store: Store): Promise<string> =>
  (await store.cached(timeLines, KEY))?.value.name ?? 'first';

/** All state was replaced: delta tokens of before are of no use. */
export const beginLine = (store: Store): Promise<void> =>
  store.transact(async (tx) => {
    await tx.put(timeLines, KEY, { name: etag() });
  });
