import type { NewWork } from '../../../kernel/store/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';

export const EXPIRY_WORK = defineWork<{ readonly queue: string }>('events.queue-expiry', {
  title: 'Removes expired messages of a queue',
  subject: 'queue',
});

/** Each queue has one work item, due when the first of its messages expires. */
export const expiryItem = (queue: string, dueAt: number): NewWork & { readonly id: string } =>
  EXPIRY_WORK.at(dueAt, { queue }, `${EXPIRY_WORK.kind}/${queue}`);
