import type { Tx } from '../../../kernel/store/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';

interface Whose {
  readonly id: string;
  readonly appId: string;
}

/** Several destinations at once; a slow one keeps nobody else waiting. */
const AT_ONCE = 4;

/** Writes what waits for a configuration. How it ends when a destination cannot be written to is the business of the work itself. */
export const EXPORT = defineWork<Whose>('lifecycle.export', {
  concurrency: AT_ONCE,
  maxAttempts: Number.POSITIVE_INFINITY,
});

/** Without a configuration: prunes the journal. With one: deletes everything that was queued for it. */
export const PRUNE_EXPORTS = defineWork<{ readonly configurationId?: string }>('lifecycle.export_prune');

const exportWorkId = (configurationId: string): string => `${EXPORT.kind}/${configurationId}`;

/** Has the configuration looked at. */
export const wakeExport = (tx: Tx, { id, appId }: Whose, dueAt: number): Promise<void> =>
  tx.wake(EXPORT.at(dueAt, { appId, id }, exportWorkId(id)));

export const cancelExport = (tx: Tx, configurationId: string): Promise<boolean> =>
  tx.cancel(exportWorkId(configurationId));

/** Has the journal looked through for what is too old or too much. */
export const wakePruning = (tx: Tx, dueAt: number): Promise<void> =>
  tx.wake(PRUNE_EXPORTS.at(dueAt, {}, PRUNE_EXPORTS.kind));

/** Has what was queued for a configuration deleted: too much for the transaction that deletes it. */
export const scheduleClearing = (tx: Tx, configurationId: string, now: number): Promise<string> =>
  tx.schedule(PRUNE_EXPORTS.at(now, { configurationId }, `${PRUNE_EXPORTS.kind}/${configurationId}`));
