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

/** An app has no more of them than this. */
export const MOST_CONFIGURATIONS = 20;
/** What is larger is not kept for those who come later. */
const LARGEST_UNWANTED_BYTES = 256 * 1024;

/**
 * Part of the transaction that takes the logs of an app in: keeps them for a while, and has them exported where that is wanted. It
 * holds the app as a reader, and whoever makes or enables a configuration does so as a writer: either he finds them or they are queued for him.
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
  // Once a day, and by chance one time in 256 at once, so that a flood does not have to wait for the end of the day.
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

/** Attachments are large: they are kept only where somebody is there to export them. */
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
