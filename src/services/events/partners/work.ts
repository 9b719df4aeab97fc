import { defineWork } from '../../../kernel/work/index.ts';

/** Removes a partner topic or partner destination that nobody activated in time, with its channel. `target` is its key. */
export const EXPIRE_PARTNER = defineWork<{ readonly target: string }>('events.expire-partner-resource');

/** One for each partner topic and partner destination. */
export const partnerExpiryItem = (target: string): string => `events.expire-partner:${target}`;
