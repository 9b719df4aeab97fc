import type { Jar } from '../../../kernel/service/index.ts';
import { allOf, atMost, eq, type Filter, type Tx } from '../../../kernel/store/index.ts';
import { untilSettled, workHandler } from '../../../kernel/work/index.ts';
import { attachments, reports } from './collections.ts';
import { expiryOf, horizonOf, retentionDays } from './retention-due.ts';
import { REPORT_RETENTION } from './work.ts';
import { dropAttachment, dropReport, lockReports } from './write.ts';

/** Reports deleted per transaction; other work gets its turn in between. */
const BATCH = 100;

/** Deletes an app's expired reports, and attachments that have waited equally long for their report, in batches. */
export const reportRetention = workHandler(REPORT_RETENTION, async (item, jar: Jar) => {
  const { appId } = item.payload;
  await untilSettled(() =>
    jar.store.transact(async (tx) => {
      const more = await dropBatch(tx, jar, appId);
      const isSettled = await tx.settle(item, async () => (more ? jar.clock.now() : nextExpiry(tx, appId)));
      return isSettled ? 'settled' : 'unsettled';
    }),
  );
});

/** Returns true if more may be left. */
async function dropBatch(tx: Tx, jar: Jar, appId: string): Promise<boolean> {
  await lockReports(tx, appId);
  const horizon = horizonOf(jar, await retentionDays(tx, appId));
  const old = await tx.query(reports, { filter: upTo(appId, 'at', horizon), limit: BATCH });
  for (const { value } of old.items) await dropReport(tx, value);
  const waiting = await tx.query(attachments, { filter: upTo(appId, 'createdAt', horizon), limit: BATCH });
  for (const { key } of waiting.items) await dropAttachment(tx, key);
  return old.items.length === BATCH || waiting.items.length === BATCH;
}

const upTo = (appId: string, field: string, horizon: string): Filter =>
  allOf(eq('appId', appId), atMost(field, horizon));

async function nextExpiry(tx: Tx, appId: string): Promise<number | undefined> {
  const days = await retentionDays(tx, appId);
  const filter = eq('appId', appId);
  const [report] = (await tx.query(reports, { filter, order: [{ field: 'at' }], limit: 1 })).items;
  const [attachment] = (await tx.query(attachments, { filter, order: [{ field: 'createdAt' }], limit: 1 })).items;
  const times = [report?.value.at, attachment?.value.createdAt].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times.map((time) => expiryOf(time, days)));
}
