import { defineWork } from '../../../kernel/work/index.ts';

/** Removes what a deleted app has left behind. */
export const PURGE_APP = defineWork<{ readonly appId: string }>('lifecycle.purge-app', { concurrency: 2 });
