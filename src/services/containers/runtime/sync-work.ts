import type { NewWork } from '../../../kernel/store/types.ts';

/** Brings one group, or what is left of one, to where it should be. There is one such item for a uid, so that one at a time acts. */
export const SYNC = 'containers.sync';

export interface SyncPayload {
  readonly uid: string;
  readonly key: string;
}

export const syncWork = (uid: string, key: string, dueAt: number): NewWork & { readonly id: string } => ({
  id: `containers:${uid}`,
  kind: SYNC,
  dueAt,
  payload: { uid, key },
});

/** How many groups are worked on at once. Most of them wait: for an image, a grace period, a probe. */
export const SYNC_LIMITS = { concurrency: 64, maxAttempts: Number.POSITIVE_INFINITY } as const;
