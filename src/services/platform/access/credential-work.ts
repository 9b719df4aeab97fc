import { defineWork } from '../../../kernel/work/index.ts';

/** Removes a credential when its lifetime is over, so that it counts no longer. */
export const EXPIRE_CREDENTIAL = defineWork<{ readonly of: 'token' | 'secret' | 'grant'; readonly key: string }>(
  'platform.expire-credential',
  { concurrency: 4 },
);

export const expiryId = (of: 'token' | 'secret' | 'grant', key: string): string =>
  `${EXPIRE_CREDENTIAL.kind}:${of}:${key}`;
