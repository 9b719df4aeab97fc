import type { Tx } from '../../../kernel/store/types.ts';
import { type LegacyWork, lazyWork } from '../../../kernel/whole-service.ts';

const EXPORT = 'lifecycle.export';
const PRUNE = 'lifecycle.export_prune';
/** Several destinations at once; a slow one keeps nobody else waiting. */
const AT_ONCE = 4;

/** How it ends when a destination cannot be written to is the business of the work itself. */
export const EXPORT_WORK: Readonly<Record<string, LegacyWork>> = {
  [EXPORT]: lazyWork(() => import('./run.ts'), { concurrency: AT_ONCE, maxAttempts: Number.POSITIVE_INFINITY }),
  [PRUNE]: lazyWork(() => import('./prune.ts'), { concurrency: 1 }),
};

interface Whose {
  readonly id: string;
  readonly appId: string;
}

const exportWorkId = (configurationId: string): string => `${EXPORT}/${configurationId}`;

/** Has the configuration looked at. */
export const wakeExport = (tx: Tx, { id, appId }: Whose, dueAt: number): Promise<void> =>
  tx.wake({ kind: EXPORT, id: exportWorkId(id), dueAt, payload: { appId, id } });

export const cancelExport = (tx: Tx, configurationId: string): Promise<boolean> =>
  tx.cancel(exportWorkId(configurationId));

/** Has the journal looked through for what is too old or too much. */
export const wakePruning = (tx: Tx, dueAt: number): Promise<void> =>
  tx.wake({ kind: PRUNE, id: PRUNE, dueAt, payload: {} });

/** Has what was queued for a configuration deleted: too much for the transaction that deletes it. */
export const scheduleClearing = (tx: Tx, configurationId: string, now: number): Promise<string> =>
  tx.schedule({ kind: PRUNE, id: `${PRUNE}/${configurationId}`, dueAt: now, payload: { configurationId } });
