import type { Tx } from '../../../kernel/store/index.ts';
import { recordAnalytics } from '../analytics/record.ts';
import { apps } from '../collections.ts';
import { admitReports, recordReports } from '../diagnostics/record.ts';
import { queueForExport } from '../exports/queue.ts';
import type { LifecycleJar } from '../jar.ts';
import { freshLogs } from './receipts.ts';
import type { AppLog, Delivery } from './types.ts';

/** Which reports of crashes and errors were taken, and which were too many. */
export interface Taken {
  readonly validIds: readonly string[];
  readonly throttledIds: readonly string[];
}

/** Everything that follows from the logs of one request, in one transaction. What was here before changes nothing. */
export async function takeDelivery(jar: LifecycleJar, delivery: Delivery): Promise<Taken> {
  const { admitted, throttledIds, validIds } = await admitReports(jar, delivery);
  await jar.store.transact(async (tx) => {
    // Whoever deletes the app waits, or has done so already.
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
