import { deleteSome, type Tx } from '../../../kernel/store/index.ts';
import type { PlatformJar } from '../jar.ts';
import { freeCount } from '../limits/take.ts';
import { type Monitor, monitorRefreshes, monitors } from './collections.ts';
import { scheduleId, stepId } from './work.ts';

/** Called in the transaction that removes a monitor or its table or schema. */
export async function dropMonitor(tx: Tx, jar: PlatformJar, object: string): Promise<void> {
  const monitor = (await tx.get(monitors, object))?.value;
  if (!monitor) return;
  await tx.delete(monitors, object);
  await freeCount(tx, jar, { row: 'monitors', scope: [monitor.metastore] });
  await tx.cancel(stepId(object));
  await tx.cancel(scheduleId(object));
  // There are few refreshes, since old ones are removed when new ones are added.
  await deleteSome(tx, monitorRefreshes, { prefix: `${object}/` });
  await record(tx, jar, 'delete', monitor);
}

export const record = (
  tx: Tx,
  { clock }: Pick<PlatformJar, 'clock'>,
  kind: string,
  { object, metastore, objectType }: Monitor,
) =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/metastores/${metastore}/monitors/${objectType}/${object}`,
    outcome: 'Succeeded',
    at: clock.now(),
    data: { object, objectType },
  });
