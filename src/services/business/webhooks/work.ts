import { type LegacyWork, lazyWork } from '../../../kernel/whole-service.ts';

export const EXPIRE = 'business.expire';

/** Each subscription has one; scheduling it again moves it. */
export const expiryItem = (key: string): string => `business.expire:${key}`;

export const WEBHOOK_WORK: Readonly<Record<string, LegacyWork>> = {
  [EXPIRE]: lazyWork(() => import('./expire.ts').then((code) => code.expire), { concurrency: 8 }),
};
