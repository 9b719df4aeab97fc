import { defineWork } from '../../../kernel/work/index.ts';

/** Deletes an upload that is too old. */
export const EXPIRE_UPLOAD = defineWork<{ readonly key: string }>('lifecycle.symbol-expiry', { concurrency: 2 });
