import { type LegacyWork, lazyWork } from '../../../kernel/whole-service.ts';

export const EXPIRE_INVITATION = 'lifecycle.expire-invitation';

/** Each invitation has one; scheduling it again moves it. */
export const expiryItem = (id: string): string => `${EXPIRE_INVITATION}:${id}`;

export const INVITATION_WORK: Readonly<Record<string, LegacyWork>> = {
  [EXPIRE_INVITATION]: lazyWork(() => import('./expire.ts').then((code) => code.expireInvitation), { concurrency: 8 }),
};
