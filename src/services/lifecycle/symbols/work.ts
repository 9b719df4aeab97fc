import { defineWork } from '../../../kernel/work/index.ts';

/** Deletes an expired upload. */
export const EXPIRE_UPLOAD = defineWork<{ readonly key: string }>('lifecycle.symbol-expiry', { concurrency: 2 });
