import { defineWork } from '../../../../kernel/work/index.ts';

/** Runs a statement once its warehouse runs. */
export const RUN_STATEMENT = defineWork<{ readonly key: string }>('platform.run-statement', {
  title: 'Runs a statement',
  subject: 'key',
  concurrency: 8,
});

/** The retention of the result of a statement, and later of the statement itself, has passed. */
export const EXPIRE_STATEMENT = defineWork<{ readonly key: string }>('platform.expire-statement', {
  title: 'Removes an old statement or its result',
  subject: 'key',
  concurrency: 4,
});

export const STATEMENT_WORK = [RUN_STATEMENT, EXPIRE_STATEMENT] as const;

export const workId = ({ kind }: { readonly kind: string }, key: string): string => `${kind}:${key}`;
