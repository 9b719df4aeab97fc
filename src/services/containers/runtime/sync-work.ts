import type { NewWork } from '../../../kernel/store/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';

export interface SyncPayload {
  readonly uid: string;
  readonly key: string;
}

/** How many groups are worked on at once. Most of them wait: for an image, a grace period, a probe. */
const CONCURRENCY = 64;

/** Brings one group, or what is left of one, to where it should be. There is one such item for a uid, so that one at a time acts. */
export const SYNC = defineWork<SyncPayload>('containers.sync', {
  concurrency: CONCURRENCY,
  maxAttempts: Number.POSITIVE_INFINITY,
});

export const syncWork = (uid: string, key: string, dueAt: number): NewWork & { readonly id: string } =>
  SYNC.at(dueAt, { uid, key }, `containers:${uid}`);
