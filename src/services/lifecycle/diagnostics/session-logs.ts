import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import type { Call, Jar } from '../../../kernel/service/index.ts';
import { type Query, walk } from '../../../kernel/store/index.ts';
import { dayOf } from '../../../kernel/time/index.ts';
import { ENTRIES_AT_ONCE, isShown, logView, MOST_SHOWN, ShownLogs } from '../analytics/log-view.ts';
import { exportJournal, type KeptLog, sessionKey } from '../exports/collections.ts';
import { routeCode } from '../jar.ts';
import { readTime } from '../read-time.ts';
import type { Report } from './collections.ts';
import { findReport } from './find.ts';
import { Instant } from './query.ts';
import { errorView } from './views.ts';

/** Logs of the session before an error, as far as the journal still contains them. */

interface SessionLog {
  readonly log: KeptLog;
  readonly receivedAt: number;
}

/** Concurrent count queries. */
const ASKED_AT_ONCE = 20;

const query = Type.Object({ date: Type.Optional(Instant) });
const responses = { 200: ShownLogs };

export const listSessionLogs = routeCode(['errorId'], {
  query,
  responses,
  handle: (call) => sessionLogs(call as Call, call.params.errorId, call.query.date),
});

export const listCrashSessionLogs = routeCode(['crash_id'], {
  query,
  responses,
  handle: (call) => sessionLogs(call as Call, call.params.crash_id, call.query.date),
});

/** The last logs before the error, oldest first; if a date is given, only those of that UTC day. */
async function sessionLogs(call: Call, reportId: string, date: string | undefined) {
  const report = await findReport(call, reportId);
  const day = date === undefined ? undefined : dayOf(readTime('date', date));
  const found = await logsBefore(call.jar, report, day);
  const shown = found.slice(-MOST_SHOWN);
  const last = Math.max(...shown.map(({ receivedAt }) => receivedAt));
  return ok({
    exceeded_max_limit: found.length > shown.length,
    ...(shown.length > 0 && { last_received_log_timestamp: new Date(last).toISOString() }),
    logs: shown.map(({ log }) => logView(log, report.installId)),
  });
}

/** One more than is shown, or all if there are fewer. */
async function logsBefore({ store }: Jar, report: Report, day: string | undefined): Promise<readonly SessionLog[]> {
  const entries = entriesOf(report);
  if (!entries) return [];
  const found: SessionLog[] = [];
  const order = [{ field: 'key', descending: true }];
  for await (const { value } of walk(store, exportJournal, { ...entries, order, page: ENTRIES_AT_ONCE })) {
    for (const log of value.logs) {
      if (belongsTo(report, log) && (day === undefined || dayOf(log.at) === day)) {
        found.push({ log, receivedAt: value.receivedAt });
      }
    }
    if (found.length > MOST_SHOWN) break;
  }
  return found.sort((a, b) => a.log.at - b.log.at);
}

/** Journal entries with logs of the report's session. */
function entriesOf(report: Report): Pick<Query, 'prefix' | 'filter'> | undefined {
  const value = sessionOf(report);
  return value === undefined
    ? undefined
    : { prefix: `${report.appId}/`, filter: { op: 'has', field: 'sessions', value } };
}

function belongsTo({ id, at, sessionId }: Report, log: KeptLog): boolean {
  if (log.sessionId !== sessionId || log.at > Date.parse(at) || !isShown(log)) return false;
  return typeof log.content.id !== 'string' || log.content.id.toLowerCase() !== id;
}

export async function errorViews(jar: Jar, listed: readonly Report[]) {
  const known = await withBreadcrumbs(jar, listed);
  return listed.map((report) => errorView(report, known.has(report)));
}

/** The reports whose sessions have further logs. */
export async function withBreadcrumbs({ store }: Jar, listed: readonly Report[]): Promise<ReadonlySet<Report>> {
  const bySession = [...Map.groupBy(listed, sessionOf).values()];
  const found = new Set<Report>();
  for (let at = 0; at < bySession.length; at += ASKED_AT_ONCE) {
    await Promise.all(
      bySession.slice(at, at + ASKED_AT_ONCE).map(async (reports) => {
        const entries = entriesOf(reports[0] as Report);
        if (!entries || (await store.count(exportJournal, entries)) === 0) return;
        for (const report of reports) found.add(report);
      }),
    );
  }
  return found;
}

const sessionOf = ({ installId, sessionId }: Report): string | undefined =>
  sessionId === undefined ? undefined : sessionKey(installId, sessionId);
