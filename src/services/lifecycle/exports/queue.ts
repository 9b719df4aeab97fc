import { uuid } from '../../../kernel/ids/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { eq, type Reader, readAll, type Tx } from '../../../kernel/store/index.ts';
import { DAY_MS, MINUTE_MS } from '../../../kernel/time/index.ts';
import type { AppLog, Delivery } from '../logs/types.ts';
import {
  type ExportConfiguration,
  entryTail,
  exportConfigurations,
  exportJournal,
  exportQueue,
  journalKey,
  type KeptLog,
  queueKey,
} from './collections.ts';
import { entityOf } from './entities.ts';
import { wakeExport, wakePruning } from './work.ts';

/** Maximum number of configurations per app. */
export const MOST_CONFIGURATIONS = 20;
/** Larger entries are not kept if no configuration wants them now. */
const LARGEST_UNWANTED_BYTES = 256 * 1024;

/**
 * Part of the transaction that accepts an app's logs: keeps them in the journal and queues them for active configurations. It takes a
 * shared lock on the app, while creating or enabling a configuration takes an exclusive one: either the configuration finds the logs in the
 * journal, or they are queued for it.
 */
export async function queueForExport(tx: Tx, _jar: Jar, delivery: Delivery): Promise<void> {
  const { app, installId, receivedAt } = delivery;
  const takers = await activeConfigurations(tx, app.id);
  const logs = keptLogs(delivery.logs, takers);
  if (logs.length === 0) return;
  const bytes = Buffer.byteLength(JSON.stringify(logs));
  if (takers.length === 0 && bytes > LARGEST_UNWANTED_BYTES) return;

  const number = uuid();
  const tail = entryTail(receivedAt, number);
  const queuedFor = takers.map(({ id }) => id);
  const entry = journalKey(app.id, tail);
  await tx.put(exportJournal, entry, { appId: app.id, installId, receivedAt, bytes, logs, queuedFor });

  const minute = minuteOf(receivedAt);
  for (const { id } of takers) {
    await tx.put(exportQueue, queueKey(id, tail), { entry, minute, bytes });
    await wakeExport(tx, { id, appId: app.id }, minute + MINUTE_MS);
  }
  // Prunes once a day, and immediately for one request in 256, so that a flood of requests is pruned before the end of the day.
  await wakePruning(tx, number.startsWith('00') ? receivedAt : receivedAt + DAY_MS);
}

export const minuteOf = (time: number): number => Math.floor(time / MINUTE_MS) * MINUTE_MS;

export const isActive = ({ state }: ExportConfiguration): boolean => state === 'Pending' || state === 'Enabled';

export async function configurationsOf(reader: Reader, appId: string): Promise<readonly ExportConfiguration[]> {
  const found = await readAll(reader, exportConfigurations, {
    filter: eq('appId', appId),
    order: [{ field: 'createdAt' }],
  });
  return found.map(({ value }) => value);
}

const activeConfigurations = async (tx: Tx, appId: string): Promise<readonly ExportConfiguration[]> =>
  (await configurationsOf(tx, appId)).filter(isActive);

/** Attachments are large, so they are kept only if a configuration exports them. */
function keptLogs(logs: readonly AppLog[], takers: readonly ExportConfiguration[]): readonly KeptLog[] {
  const withAttachments = takers.some(({ entities }) => entities.includes('attachments'));
  return logs.filter(({ type }) => withAttachments || entityOf(type) !== 'attachments').map(keptLog);
}

function keptLog({ type, at, sessionId, userId, device, content: { device: sent, ...content } }: AppLog): KeptLog {
  const wholeDevice = typeof sent === 'object' && sent !== null ? { ...sent, ...device } : device;
  return {
    type,
    at,
    ...(sessionId !== undefined && { sessionId }),
    ...(userId !== undefined && { userId }),
    device: wholeDevice as KeptLog['device'],
    content,
  };
}
