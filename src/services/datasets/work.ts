import { defineWork } from '../../kernel/work/index.ts';

/** Finishes the deferred creation of a dataset. */
export const FINISH_CREATION = defineWork<{ readonly dataset: string }>('datasets.finish-creation', {
  title: 'Finishes the creation of a dataset',
  subject: 'dataset',
  concurrency: 4,
});

/** Removes expired rows of a streaming table. */
export const EXPIRE_ROWS = defineWork<{ readonly table: string }>('datasets.expire-rows', {
  title: 'Removes expired rows of a streaming table',
  subject: 'table',
  concurrency: 4,
});

/** Removes the datasets of a deleted workspace. */
export const PURGE_WORKSPACE = defineWork<{ readonly workspace: string }>('datasets.purge-workspace', {
  title: 'Removes the datasets of a deleted workspace',
  subject: 'workspace',
});

export const finishId = (dataset: string): string => `datasets.finish-creation:${dataset}`;
export const expireId = (table: string): string => `datasets.expire-rows:${table}`;
