import type { NewWork } from '../../../kernel/store/types.ts';

export const EXPIRY_WORK = 'events.queue-expiry';

/** Each queue has one item, due when the first of its messages expires. */
export const expiryItem = (queue: string, dueAt: number): NewWork & { readonly id: string } => ({
  id: `${EXPIRY_WORK}/${queue}`,
  kind: EXPIRY_WORK,
  dueAt,
  payload: { queue },
});
