import { defineWork } from '../../../kernel/work/index.ts';

/** Removes the testers of a deleted group. */
export const PURGE_GROUP = defineWork<{ readonly groupId: string }>('lifecycle.purge-distribution-group', {
  title: 'Removes the testers of a deleted group',
  subject: 'groupId',
  concurrency: 2,
});
