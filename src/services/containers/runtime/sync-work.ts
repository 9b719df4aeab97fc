import type { NewWork } from '../../../kernel/store/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';

export interface SyncPayload {
  readonly uid: string;
  readonly key: string;
}

/** Number of groups that are synced at once. Most of them wait: for an image, a grace period or a probe. */
const CONCURRENCY = 64;

/** Syncs one group or removes a deleted one. There is one work item per uid, so the syncs of a group never overlap. */
export const SYNC = defineWork<SyncPayload>('containers.sync', {
  title: 'Reconciles a container group',
  subject: 'key',
  concurrency: CONCURRENCY,
  maxAttempts: Number.POSITIVE_INFINITY,
});

export const syncWork = (uid: string, key: string, dueAt: number): NewWork & { readonly id: string } =>
  SYNC.at(dueAt, { uid, key }, `containers:${uid}`);
