import type { Tx } from '../../../kernel/store/index.ts';
import type { Actor } from '../users/actor.ts';
import { type Hold, outboxes, type Window } from './collections.ts';

/** The hold for changes of a user. A delegated administrator is held as such, whatever other rights they have. */
export function holdOf({ isDelegatedAdmin, canScheduleJobs }: Actor): Hold | undefined {
  if (isDelegatedAdmin) return 'delegated';
  return canScheduleJobs ? undefined : 'jobs';
}

/** True if a held change can join a notification that is about to be sent anyway. */
export function canJoin(hold: Hold, table: string, window: Window | undefined): boolean {
  if (!window) return false;
  return hold === 'delegated' || window.tables.includes(table);
}

const MOST_HELD = 1000;

/** Outboxes of a company that hold changes of delegated administrators: their keys and the keys of their windows. */
export async function heldForDelegates(tx: Tx, companyKey: string): Promise<{ key: string; window: string }[]> {
  const { items } = await tx.query(outboxes, {
    filter: {
      op: 'and',
      args: [
        { op: 'eq', field: 'company', value: companyKey },
        { op: 'eq', field: 'delegated', value: true },
      ],
    },
    limit: MOST_HELD,
  });
  return items.map(({ key, value }) => ({ key, window: value.window }));
}

/** What a held change waits for, in words. */
export const WAITS_FOR: Readonly<Record<Hold, string>> = {
  delegated: 'a licensed user to change a subscribed entity of the company',
  jobs: 'a user who can schedule jobs to change the same table',
};
