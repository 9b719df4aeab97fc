import { defineWork } from '../../../../kernel/work/index.ts';

/** The permissions of a job have changed and are copied to its runs. */
export const SPREAD_ACL = defineWork<{ readonly key: string }>('platform.spread-job-acl', {
  title: 'Copies the permissions of a job to its runs',
  subject: 'key',
  concurrency: 2,
});
