import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { walk } from '../../../kernel/store/index.ts';
import { dayOf, startOfDay } from '../../../kernel/time/index.ts';
import { appOf } from '../access/access.ts';
import { errors } from '../errors.ts';
import { exportJournal, type JournalEntry } from '../exports/collections.ts';
import { routeCode } from '../jar.ts';
import { readTime } from '../read-time.ts';
import { ENTRIES_AT_ONCE, isShown, logView, MOST_SHOWN, ShownLogs } from './log-view.ts';

/** The incoming logs of an app. Both routes return the same. */
export const logFlow = routeCode([], {
  query: Type.Object({ start: Type.Optional(Type.String()) }),
  responses: { 200: ShownLogs },
  async handle(call) {
    const { jar, query } = call;
    const { entries, exceeds } = await newestEntries(jar, appOf(call).id, readStart(jar, query.start));
    const logs = entries.flatMap(({ installId, logs: kept }) => kept.map((log) => logView(log, installId)));
    const last = entries.at(-1)?.receivedAt;
    return ok({
      exceeded_max_limit: exceeds || logs.length > MOST_SHOWN,
      ...(last !== undefined && { last_received_log_timestamp: new Date(last).toISOString() }),
      logs: logs.slice(-MOST_SHOWN),
    });
  },
});

/** The first millisecond included. A client that continues from its last log wants only later logs. */
function readStart({ clock }: Jar, start: string | undefined): number {
  const today = dayOf(clock.now());
  if (start === undefined) return startOfDay(today);
  const time = readTime('start', start);
  if (dayOf(time) !== today) {
    const reason = `The parameter 'start' must be within the current day of UTC, which is ${today}.`;
    throw errors.BadRequest({ reason }, { target: 'start' });
  }
  return time === startOfDay(today) ? time : time + 1;
}

/** The newest entries that fit, oldest first. */
async function newestEntries(
  { store }: Jar,
  appId: string,
  from: number,
): Promise<{ entries: readonly JournalEntry[]; exceeds: boolean }> {
  const entries: JournalEntry[] = [];
  let count = 0;
  const order = [{ field: 'key', descending: true }];
  for await (const { value } of walk(store, exportJournal, { prefix: `${appId}/`, order, page: ENTRIES_AT_ONCE })) {
    if (value.receivedAt < from) break;
    if (count >= MOST_SHOWN) return { entries, exceeds: true };
    const logs = value.logs.filter(isShown);
    if (logs.length > 0) entries.unshift({ ...value, logs });
    count += logs.length;
  }
  return { entries, exceeds: false };
}
