import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import type { LifecycleJar } from '../jar.ts';
import { CRASHES_PER_MINUTE, ERRORS_PER_MINUTE } from '../limits.ts';
import type { AppLog, Delivery } from '../logs/types.ts';
import { readable } from '../symbols/retrace.ts';
import { type ErrorKind, reportKey, reports } from './collections.ts';
import { idOf, readAttachment } from './read-log.ts';
import { isAttachment, isReport, kindOf, reportSummaryOf } from './read-report.ts';
import { addAttachment, addReport, lockReports } from './write.ts';

const LIMITS: Readonly<Record<ErrorKind, typeof CRASHES_PER_MINUTE>> = {
  unhandledError: CRASHES_PER_MINUTE,
  handledError: ERRORS_PER_MINUTE,
};

export interface Admission {
  /** The delivery without reports that were not accepted. Names in stack traces are readable if symbols are available. */
  readonly admitted: Delivery;
  readonly throttledIds: string[];
  /** Ids of reports and attachments accepted now or earlier. */
  readonly validIds: string[];
}

const isDiagnostic = (log: AppLog): boolean => isReport(log) || isAttachment(log);

/** Selects the accepted reports of a delivery: valid ones, up to the rate limit per minute. */
export async function admitReports(jar: LifecycleJar, delivery: Delivery): Promise<Admission> {
  const { app, logs } = delivery;
  if (!logs.some(isDiagnostic)) return { admitted: delivery, throttledIds: [], validIds: [] };
  const valid = new Set<string>();
  const throttled = new Set<string>();
  const admitted = new Set<AppLog>();
  for (const log of logs.filter(isReport)) {
    const id = idOf(log);
    if (id === undefined || valid.has(id) || throttled.has(id) || !reportSummaryOf(log)) continue;
    const isTaken = (await isKnown(jar, app.id, id)) || (await takeOne(jar, app.id, kindOf(log)));
    (isTaken ? valid : throttled).add(id);
    if (isTaken) admitted.add(log);
  }
  for (const log of logs.filter(isAttachment)) {
    const attachment = readAttachment(log);
    if (!attachment) continue;
    // An attachment of a rejected report is rejected, too.
    const isTaken = !throttled.has(attachment.reportId);
    (isTaken ? valid : throttled).add(attachment.id);
    if (isTaken) admitted.add(log);
  }
  const kept = logs.filter((log) => !isDiagnostic(log) || admitted.has(log));
  return {
    admitted: { ...delivery, logs: await readable(jar, app.id, kept) },
    throttledIds: [...throttled],
    validIds: [...valid],
  };
}

/** A report sent again, because its response was lost, does not count towards the limit. */
const isKnown = async ({ store }: Jar, appId: string, id: string): Promise<boolean> =>
  (await store.get(reports, reportKey(appId, id))) !== undefined;

async function takeOne({ limits }: Jar, appId: string, kind: ErrorKind): Promise<boolean> {
  return (await limits.take([{ limit: LIMITS[kind], scope: [appId] }])).allowed;
}

/** Records the reports and attachments that `admitReports` accepted. */
export async function recordReports(tx: Tx, _jar: Jar, delivery: Delivery): Promise<void> {
  const logs = delivery.logs.filter(isDiagnostic);
  if (logs.length === 0) return;
  await lockReports(tx, delivery.app.id);
  // Attachments first, so that a report counts those that arrived with it or earlier.
  for (const log of logs.filter(isAttachment)) await addAttachment(tx, delivery, log);
  for (const log of logs.filter(isReport)) await addReport(tx, delivery, log);
}
