import { allOf, atMost, type Collection, eq, SLICE } from '../../../kernel/store/index.ts';
import { trySettle, untilSettled, workHandler } from '../../../kernel/work/index.ts';
import { mailboxStates } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import { pastSeries, removals } from './collections.ts';
import { FORGET_REMOVALS, REMOVALS_KEPT_MS } from './removals-work.ts';

interface Kept {
  readonly at: number;
  readonly number: number;
}
const KEPT: readonly Collection<Kept>[] = [removals, pastSeries];

/** Deletes the expired delta records of a mailbox, a slice in each transaction, and reschedules itself for the next one. */
export const forgetRemovals = workHandler(FORGET_REMOVALS, async (item, jar: MailJar) => {
  const { mailbox } = item.payload;
  await untilSettled(async () => {
    const until = jar.clock.now() - REMOVALS_KEPT_MS;
    for (const kept of KEPT) if ((await forgetSlice(jar, kept, mailbox, until)) === SLICE) return 'more';
    return trySettle(jar.store, item, async (tx) => {
      const filter = eq('mailbox', mailbox);
      const oldest: number[] = [];
      for (const kept of KEPT) {
        const { items } = await tx.query(kept, { filter, order: [{ field: 'at' }], limit: 1 });
        oldest.push(...items.map(({ value }) => value.at));
      }
      return oldest.length === 0 ? undefined : Math.min(...oldest) + REMOVALS_KEPT_MS;
    });
  });
});

/** Stores the number of the latest deleted record with the mailbox in the same transaction: older tokens are rejected from then on. */
const forgetSlice = ({ store }: MailJar, kept: Collection<Kept>, mailbox: string, until: number): Promise<number> =>
  store.transact(async (tx) => {
    const state = await tx.get(mailboxStates, mailbox);
    if (!state) return 0;
    const filter = allOf(eq('mailbox', mailbox), atMost('at', until));
    const { items } = await tx.query(kept, { filter, order: [{ field: 'at' }], limit: SLICE });
    if (items.length === 0) return 0;
    const forgotten = items.reduce((highest, { value }) => Math.max(highest, value.number), state.value.forgotten ?? 0);
    await tx.put(mailboxStates, mailbox, { ...state.value, forgotten });
    for (const { key } of items) await tx.delete(kept, key);
    return items.length;
  });
