import type { Tx } from '../../../kernel/store/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';

interface Whose {
  readonly id: string;
  readonly appId: string;
}

/** Destinations served concurrently, so that a slow one does not block the others. */
const AT_ONCE = 4;

/** Exports the queue of a configuration. The handler itself handles a destination that fails. */
export const EXPORT = defineWork<Whose>('lifecycle.export', {
  title: 'Exports queued records',
  subject: 'id',
  concurrency: AT_ONCE,
  maxAttempts: Number.POSITIVE_INFINITY,
});

/** Without a configuration: prunes the journal. With one: deletes its queue. */
export const PRUNE_EXPORTS = defineWork<{ readonly configurationId?: string }>('lifecycle.export_prune', {
  title: 'Deletes exported records',
  subject: 'configurationId',
});

const exportWorkId = (configurationId: string): string => `${EXPORT.kind}/${configurationId}`;

/** Schedules the export of a configuration. */
export const wakeExport = (tx: Tx, { id, appId }: Whose, dueAt: number): Promise<void> =>
  tx.wake(EXPORT.at(dueAt, { appId, id }, exportWorkId(id)));

export const cancelExport = (tx: Tx, configurationId: string): Promise<boolean> =>
  tx.cancel(exportWorkId(configurationId));

/** Schedules pruning of the journal. */
export const wakePruning = (tx: Tx, dueAt: number): Promise<void> =>
  tx.wake(PRUNE_EXPORTS.at(dueAt, {}, PRUNE_EXPORTS.kind));

/** Schedules the deletion of a configuration's queue, which is too large for the transaction that deletes the configuration. */
export const scheduleClearing = (tx: Tx, configurationId: string, now: number): Promise<string> =>
  tx.schedule(PRUNE_EXPORTS.at(now, { configurationId }, `${PRUNE_EXPORTS.kind}/${configurationId}`));
