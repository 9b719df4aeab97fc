import { defineWork } from '../../../kernel/work/index.ts';

/** Closes a handle that was not used for its lifetime. */
export const EXPIRE_HANDLE = defineWork<{ readonly key: string }>('platform.expire-dbfs-handle', {
  title: 'Closes an unused file handle',
  subject: 'key',
  concurrency: 4,
});

export const expireHandleId = (key: string): string => `platform.expire-dbfs-handle:${key}`;
