import type { Tx } from '../../../kernel/store/index.ts';
import { recordAnalytics } from '../analytics/record.ts';
import { apps } from '../collections.ts';
import { admitReports, recordReports } from '../diagnostics/record.ts';
import { queueForExport } from '../exports/queue.ts';
import type { LifecycleJar } from '../jar.ts';
import { freshLogs } from './receipts.ts';
import type { AppLog, Delivery } from './types.ts';

/** The accepted reports of crashes and errors, and those over the rate limit. */
export interface AcceptedReports {
  readonly validIds: readonly string[];
  readonly throttledIds: readonly string[];
}

/** Records everything in the logs of one request in one transaction. Logs received before have no effect. */
export async function acceptDelivery(jar: LifecycleJar, delivery: Delivery): Promise<AcceptedReports> {
  const { admitted, throttledIds, validIds } = await admitReports(jar, delivery);
  await jar.store.transact(async (tx) => {
    // A concurrent deletion of the app waits for this transaction, or has already finished.
    if (!(await tx.get(apps, delivery.app.id, 'share'))) return;
    const logs = await freshLogs(tx, admitted);
    if (logs.length === 0) return;
    const fresh: Delivery = { ...admitted, logs };
    await recordAnalytics(tx, jar, fresh);
    await recordReports(tx, jar, fresh);
    await queueForExport(tx, jar, fresh);
    await tellFeed(tx, fresh);
  });
  return { validIds, throttledIds };
}

async function tellFeed(tx: Tx, { app, installId, logs, receivedAt }: Delivery): Promise<void> {
  await tx.change({
    source: 'lifecycle',
    kind: 'action',
    subject: `lifecycle/apps/${app.id}/logs`,
    outcome: 'Succeeded',
    at: receivedAt,
    data: { device: installId, logs: countByType(logs) },
  });
}

function countByType(logs: readonly AppLog[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of logs) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}
