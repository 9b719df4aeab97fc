import { defineWork } from '../../../kernel/work/index.ts';

/** Gives up a checkout that nobody goes on with. Whoever uses the checkout cancels it; what is given up is removed as a deleted directory is. */
export const ABANDON_CHECKOUT = defineWork<{ readonly tree: string; readonly inside: string }>(
  'platform.abandon-checkout',
);

export const abandonCheckoutId = (tree: string, inside: string): string =>
  `platform.abandon-checkout:${tree}/${inside}`;
