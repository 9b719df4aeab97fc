import type { Origin } from '../../kernel/arm/index.ts';
import { defineWork } from '../../kernel/work/index.ts';

/** A new account or trigger becomes ready; due at once. */
export const FINISH_ACCOUNT = defineWork<{ readonly key: string; readonly uid: string }>('datashare.finish-account', {
  concurrency: 4,
});
export const FINISH_TRIGGER = defineWork<{ readonly key: string; readonly uid: string; readonly origin: Origin }>(
  'datashare.finish-trigger',
  { concurrency: 4 },
);

/** What is left of something that was deleted, and the operation that waits for its end. */
export interface Remains {
  readonly of: 'account' | 'share' | 'subscription' | 'setting' | 'trigger' | 'mapping';
  readonly uid: string;
  readonly operation?: string;
  /** Of a mapping: the storage account in which there may be drafts of large files. */
  readonly account?: string;
}
export const PURGE = defineWork<Remains>('datashare.purge', { concurrency: 4 });

/** A revocation takes effect at once; its operation ends a moment later. */
export const FINISH_REVOCATION = defineWork<{ readonly key: string; readonly uid: string; readonly operation: string }>(
  'datashare.finish-revocation',
);

/** An invitation, or the consent to a share subscription, ends. */
export const EXPIRE_INVITATION = defineWork<{ readonly key: string; readonly uid: string }>(
  'datashare.expire-invitation',
);
export const EXPIRE_SUBSCRIPTION = defineWork<{ readonly key: string; readonly uid: string }>(
  'datashare.expire-subscription',
);

/** A trigger fires. */
export const FIRE = defineWork<{ readonly key: string; readonly uid: string }>('datashare.fire');

/**
 * A synchronization. It is never parked: one that fails again and again, or takes the jar down with it, is ended as failed by its own
 * handler.
 */
export const RUN = defineWork<{ readonly key: string }>('datashare.run', {
  concurrency: 4,
  maxAttempts: Number.POSITIVE_INFINITY,
});

export const expiryId = (uid: string): string => `datashare.expire:${uid}`;
export const fireId = (trigger: string): string => `datashare.fire:${trigger}`;
export const runId = (subscription: string): string => `datashare.run:${subscription}`;

export const WORK = [
  FINISH_ACCOUNT,
  FINISH_TRIGGER,
  PURGE,
  FINISH_REVOCATION,
  EXPIRE_INVITATION,
  EXPIRE_SUBSCRIPTION,
  FIRE,
  RUN,
] as const;
