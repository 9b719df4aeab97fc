import { defineWork } from '../../../kernel/work/index.ts';

/** Deletes an expired upload. */
export const EXPIRE_UPLOAD = defineWork<{ readonly key: string }>('lifecycle.symbol-expiry', {
  title: 'Deletes an expired upload of symbols',
  subject: 'key',
  concurrency: 2,
});
