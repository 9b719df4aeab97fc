import { defineWork } from '../../../../kernel/work/index.ts';

/** A statement is to be run, once its warehouse runs. */
export const RUN_STATEMENT = defineWork<{ readonly key: string }>('platform.run-statement', { concurrency: 8 });

/** The result of a statement, and later the statement itself, is no longer kept. */
export const EXPIRE_STATEMENT = defineWork<{ readonly key: string }>('platform.expire-statement', { concurrency: 4 });

export const STATEMENT_WORK = [RUN_STATEMENT, EXPIRE_STATEMENT] as const;

export const workId = ({ kind }: { readonly kind: string }, key: string): string => `${kind}:${key}`;
