import { createHash } from 'node:crypto';
import type { Tx } from '../../../kernel/store/index.ts';
import { deviceKey, logReceipts } from './collections.ts';
import { logIdOf } from './read-log.ts';
import type { AppLog, Delivery } from './types.ts';

/** Maximum number of receipts per device, unless a single delivery has more logs. */
const MOST_RECEIPTS = 1000;
/** Length of the hash, six bits per character; enough to avoid collisions among a device's logs. */
const RECEIPT_LENGTH = 11;

/** The logs of a delivery that were not received before, without duplicates; records them as received. */
export async function freshLogs(tx: Tx, { app, installId, logs }: Delivery): Promise<readonly AppLog[]> {
  const key = deviceKey(app.id, installId);
  const known = (await tx.get(logReceipts, key))?.value.ids ?? [];
  const seen = new Set(known);
  const added: string[] = [];
  const fresh = logs.filter((log) => {
    const receipt = receiptOf(log);
    if (receipt === undefined) return true;
    if (seen.has(receipt)) return false;
    seen.add(receipt);
    added.push(receipt);
    return true;
  });
  const kept = Math.max(MOST_RECEIPTS, added.length);
  if (added.length > 0) await tx.put(logReceipts, key, { ids: [...known, ...added].slice(-kept) });
  return fresh;
}

/** Session starts are identified by session id. Logs without an id can be accepted twice without harm. */
function receiptOf(log: AppLog): string | undefined {
  const id = log.type === 'startSession' ? log.sessionId : logIdOf(log);
  if (id === undefined) return undefined;
  return createHash('sha256').update(`${log.type}/${id}`).digest('base64url').slice(0, RECEIPT_LENGTH);
}
