import { defineWork } from '../../kernel/work/index.ts';

/** The deferred creation of a dataset is to end. */
export const FINISH_CREATION = defineWork<{ readonly dataset: string }>('datasets.finish-creation', { concurrency: 4 });

/** Rows of a streaming table have reached the end of their time. */
export const EXPIRE_ROWS = defineWork<{ readonly table: string }>('datasets.expire-rows', { concurrency: 4 });

/** The datasets of a deleted workspace are to be removed. */
export const PURGE_WORKSPACE = defineWork<{ readonly workspace: string }>('datasets.purge-workspace');

export const finishId = (dataset: string): string => `datasets.finish-creation:${dataset}`;
export const expireId = (table: string): string => `datasets.expire-rows:${table}`;
