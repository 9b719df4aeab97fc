import { defineWork } from '../../../kernel/work/index.ts';

export const EXPIRE_INVITATION = defineWork<{ readonly id: string }>('lifecycle.expire-invitation', {
  title: 'Expires an invitation',
  concurrency: 8,
});

/** One work item per invitation; scheduling it again moves it. */
export const expiryItem = (id: string): string => `${EXPIRE_INVITATION.kind}:${id}`;
