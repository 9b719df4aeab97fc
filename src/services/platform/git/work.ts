import { defineWork } from '../../../kernel/work/index.ts';

/**
 * Abandons a checkout without progress. The use of the checkout cancels this item; an abandoned checkout is removed like a deleted
 * directory.
 */
export const ABANDON_CHECKOUT = defineWork<{ readonly tree: string; readonly inside: string }>(
  'platform.abandon-checkout',
  { title: 'Abandons a checkout without progress', subject: 'inside' },
);

export const abandonCheckoutId = (tree: string, inside: string): string =>
  `platform.abandon-checkout:${tree}/${inside}`;
