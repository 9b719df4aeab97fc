import { defineWork } from '../../../kernel/work/index.ts';

/** Removes the remaining data of a deleted app. */
export const PURGE_APP = defineWork<{ readonly appId: string }>('lifecycle.purge-app', {
  title: 'Removes the data of a deleted app',
  subject: 'appId',
  concurrency: 2,
});
