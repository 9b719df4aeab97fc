import { defineWork } from '../../../kernel/work/index.ts';

/** Removes a partner topic or partner destination that was not activated in time, with its channel. `target` is its key. */
export const EXPIRE_PARTNER = defineWork<{ readonly target: string }>('events.expire-partner-resource', {
  title: 'Removes a partner resource that was not activated',
  subject: 'target',
});

/** One work item for each partner topic and partner destination. */
export const partnerExpiryItem = (target: string): string => `events.expire-partner:${target}`;
