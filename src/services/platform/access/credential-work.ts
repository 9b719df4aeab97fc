import { defineWork } from '../../../kernel/work/index.ts';

/** Removes an expired credential. */
export const EXPIRE_CREDENTIAL = defineWork<{ readonly of: 'token' | 'secret' | 'grant'; readonly key: string }>(
  'platform.expire-credential',
  { title: 'Removes an expired credential', subject: 'of', concurrency: 4 },
);

export const expiryId = (of: 'token' | 'secret' | 'grant', key: string): string =>
  `${EXPIRE_CREDENTIAL.kind}:${of}:${key}`;
