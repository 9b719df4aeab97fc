import { defineWork } from '../../../kernel/work/index.ts';

/** Each subscription has one item; scheduling it again moves it. */
export const EXPIRE = defineWork<{ readonly key: string }>('business.expire', {
  title: 'Deletes an expired webhook subscription',
  subject: 'key',
  concurrency: 8,
});

export const expiryItem = (key: string): string => `business.expire:${key}`;
