import { type LegacyWork, lazyWork } from '../../../kernel/whole-service.ts';

/** Removes what a deleted app has left behind. */
export const PURGE_APP = 'lifecycle.purge-app';

export const APP_WORK: Readonly<Record<string, LegacyWork>> = {
  [PURGE_APP]: lazyWork(() => import('./purge.ts').then((code) => code.purgeApp), { concurrency: 2 }),
};
