import { sha256 } from '../../../kernel/auth/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';

export const EXPIRE_INVITATION = defineWork<{ readonly id: string }>('lifecycle.expire-invitation', {
  title: 'Expires an invitation',
  hasSecret: true,
  concurrency: 8,
});

/** One work item per invitation; scheduling it again moves it. Lists of due work can be searched by the id, so it is not the secret. */
export const expiryItem = (id: string): string => `${EXPIRE_INVITATION.kind}:${sha256(id)}`;
