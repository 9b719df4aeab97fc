import { defineWork } from '../../../kernel/work/index.ts';

/** A handle that nobody has used for as long as it lives. */
export const EXPIRE_HANDLE = defineWork<{ readonly key: string }>('platform.expire-dbfs-handle', { concurrency: 4 });

export const expireHandleId = (key: string): string => `platform.expire-dbfs-handle:${key}`;
