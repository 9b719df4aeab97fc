import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import type { LifecycleJar } from '../jar.ts';
import { CRASHES_PER_MINUTE, ERRORS_PER_MINUTE } from '../limits.ts';
import type { AppLog, Delivery } from '../logs/types.ts';
import { readable } from '../symbols/retrace.ts';
import { type ErrorKind, reportKey, reports } from './collections.ts';
import { idOf, readAttachment } from './read-log.ts';
import { essenceOf, isAttachment, isReport, kindOf } from './read-report.ts';
import { addAttachment, addReport, lockReports } from './write.ts';

const LIMITS: Readonly<Record<ErrorKind, typeof CRASHES_PER_MINUTE>> = {
  unhandledError: CRASHES_PER_MINUTE,
  handledError: ERRORS_PER_MINUTE,
};

export interface Admission {
  /** Without the reports that were not taken. Names in stack traces are readable where there are symbols for them. */
  readonly admitted: Delivery;
  readonly throttledIds: string[];
  /** Of the reports and attachments that are taken, or were before. */
  readonly validIds: string[];
}

const isDiagnostic = (log: AppLog): boolean => isReport(log) || isAttachment(log);

/** Which reports of a delivery are taken: those that can be read, as many in a minute as there may be. */
export async function admitReports(jar: LifecycleJar, delivery: Delivery): Promise<Admission> {
  const { app, logs } = delivery;
  if (!logs.some(isDiagnostic)) return { admitted: delivery, throttledIds: [], validIds: [] };
  const valid = new Set<string>();
  const throttled = new Set<string>();
  const admitted = new Set<AppLog>();
  for (const log of logs.filter(isReport)) {
    const id = idOf(log);
    if (id === undefined || valid.has(id) || throttled.has(id) || !essenceOf(log)) continue;
    const isTaken = (await isKnown(jar, app.id, id)) || (await takeOne(jar, app.id, kindOf(log)));
    (isTaken ? valid : throttled).add(id);
    if (isTaken) admitted.add(log);
  }
  for (const log of logs.filter(isAttachment)) {
    const attachment = readAttachment(log);
    if (!attachment) continue;
    // What belongs to a report that was not taken is of no use to anybody.
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

/** One that is sent again, since the answer to the first time was lost, takes nothing of the limit. */
const isKnown = async ({ store }: Jar, appId: string, id: string): Promise<boolean> =>
  (await store.get(reports, reportKey(appId, id))) !== undefined;

async function takeOne({ limits }: Jar, appId: string, kind: ErrorKind): Promise<boolean> {
  return (await limits.take([{ limit: LIMITS[kind], scope: [appId] }])).allowed;
}

/** Writes down the reports and attachments among the logs of what `admitReports` has let through. */
export async function recordReports(tx: Tx, _jar: Jar, delivery: Delivery): Promise<void> {
  const logs = delivery.logs.filter(isDiagnostic);
  if (logs.length === 0) return;
  await lockReports(tx, delivery.app.id);
  // Attachments first, so that a report counts those that came with it or before it.
  for (const log of logs.filter(isAttachment)) await addAttachment(tx, delivery, log);
  for (const log of logs.filter(isReport)) await addReport(tx, delivery, log);
}
