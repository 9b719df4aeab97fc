import type { Jar } from '../../kernel/service/index.ts';
import type { Tx } from '../../kernel/store/index.ts';
import { MOST_BYTES, MOST_BYTES_IN_ALL, MOST_INBOXES, MOST_REQUESTS, TOTAL_CHECK_BYTES } from './bounds.ts';
import { type Inbox, inboxes, inboxRequests } from './collections.ts';

export interface Kept {
  readonly kept: number;
  readonly bytes: number;
}

/** Drops the oldest requests of an inbox until it is within `most`. */
export async function dropOldest(tx: Tx, name: string, before: Kept, most: Kept): Promise<Kept> {
  let { kept, bytes } = before;
  while (kept > most.kept || bytes > most.bytes) {
    const [oldest] = (await tx.query(inboxRequests, { prefix: `${name}/`, limit: 1 })).items;
    if (!oldest) return { kept: 0, bytes: 0 };
    await tx.delete(inboxRequests, oldest.key);
    kept -= 1;
    bytes -= oldest.value.size;
  }
  return { kept, bytes };
}

export const makeRoom = (tx: Tx, name: string, before: Kept): Promise<Kept> =>
  dropOldest(tx, name, before, { kept: MOST_REQUESTS, bytes: MOST_BYTES });

/** True if the inbox has grown enough since the total was last computed. */
export const isTotalCheckDue = (before: number, after: number): boolean =>
  Math.floor(after / TOTAL_CHECK_BYTES) > Math.floor(before / TOTAL_CHECK_BYTES);

/** Halves the largest inbox repeatedly until the total is within the limit. */
export async function makeRoomInAll({ store }: Pick<Jar, 'store'>, most: number = MOST_BYTES_IN_ALL): Promise<void> {
  for (let round = 0; round < MOST_INBOXES; round++) {
    const { items } = await store.query(inboxes, { limit: MOST_INBOXES });
    const all = items.map(({ value }) => value);
    if (all.reduce((sum, { bytes }) => sum + bytes, 0) <= most) return;
    const largest = all.reduce((one, other) => (other.bytes > one.bytes ? other : one));
    await store.transact((tx) => halve(tx, largest));
  }
}

async function halve(tx: Tx, { name, bytes }: Inbox): Promise<void> {
  const found = await tx.get(inboxes, name);
  // Another transaction may have emptied or removed it in the meantime.
  if (!found || found.value.bytes < bytes / 2) return;
  const most = { kept: MOST_REQUESTS, bytes: Math.floor(found.value.bytes / 2) };
  await tx.put(inboxes, name, { ...found.value, ...(await dropOldest(tx, name, found.value, most)) });
}
