import { defineWork } from '../../../../kernel/work/index.ts';

/** The permissions of a job have changed: its runs get the same. */
export const SPREAD_ACL = defineWork<{ readonly key: string }>('platform.spread-job-acl', { concurrency: 2 });
