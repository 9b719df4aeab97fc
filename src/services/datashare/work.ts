import type { Origin } from '../../kernel/arm/index.ts';
import { defineWork } from '../../kernel/work/index.ts';

/** Finishes a new account or trigger; due at once. */
export const FINISH_ACCOUNT = defineWork<{ readonly key: string; readonly uid: string }>('datashare.finish-account', {
  title: 'Finishes the creation of a share account',
  subject: 'key',
  concurrency: 4,
});
export const FINISH_TRIGGER = defineWork<{ readonly key: string; readonly uid: string; readonly origin: Origin }>(
  'datashare.finish-trigger',
  { title: 'Finishes the creation of a trigger', subject: 'key', concurrency: 4 },
);

/** The remains of a deleted resource, and the operation that waits for their removal. */
export interface Remains {
  readonly of: 'account' | 'share' | 'subscription' | 'setting' | 'trigger' | 'mapping';
  readonly uid: string;
  readonly operation?: string;
  /** Mappings only: the storage account that may contain drafts of large files. */
  readonly account?: string;
}
export const PURGE = defineWork<Remains>('datashare.purge', {
  title: 'Removes the remains of a deleted share resource',
  subject: 'uid',
  concurrency: 4,
});

/** A revocation takes effect at once; its operation ends shortly after. */
export const FINISH_REVOCATION = defineWork<{ readonly key: string; readonly uid: string; readonly operation: string }>(
  'datashare.finish-revocation',
  { title: 'Finishes the revocation of a share subscription', subject: 'key' },
);

/** Expires an invitation or a share subscription. */
export const EXPIRE_INVITATION = defineWork<{ readonly key: string; readonly uid: string }>(
  'datashare.expire-invitation',
  { title: 'Expires an invitation', subject: 'key' },
);
export const EXPIRE_SUBSCRIPTION = defineWork<{ readonly key: string; readonly uid: string }>(
  'datashare.expire-subscription',
  { title: 'Expires a share subscription', subject: 'key' },
);

/** Fires a trigger. */
export const FIRE = defineWork<{ readonly key: string; readonly uid: string }>('datashare.fire', {
  title: 'Fires a synchronization trigger',
  subject: 'key',
  recurs: true,
});

/** Executes a synchronization. It is never parked: after too many failed attempts or crashes, its own handler ends the run as failed. */
export const RUN = defineWork<{ readonly key: string }>('datashare.run', {
  title: 'Executes a synchronization',
  subject: 'key',
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
