import { defineWork } from '../../kernel/work/index.ts';

/** Finishes the deferred creation of a dataset. */
export const FINISH_CREATION = defineWork<{ readonly dataset: string }>('datasets.finish-creation', { concurrency: 4 });

/** Removes expired rows of a streaming table. */
export const EXPIRE_ROWS = defineWork<{ readonly table: string }>('datasets.expire-rows', { concurrency: 4 });

/** Removes the datasets of a deleted workspace. */
export const PURGE_WORKSPACE = defineWork<{ readonly workspace: string }>('datasets.purge-workspace');

export const finishId = (dataset: string): string => `datasets.finish-creation:${dataset}`;
export const expireId = (table: string): string => `datasets.expire-rows:${table}`;
