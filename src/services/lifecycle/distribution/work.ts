import { type LegacyWork, lazyWork } from '../../../kernel/whole-service.ts';

/** Removes the testers of a group that was deleted. */
export const PURGE_GROUP = 'lifecycle.purge-distribution-group';

export const DISTRIBUTION_WORK: Readonly<Record<string, LegacyWork>> = {
  [PURGE_GROUP]: lazyWork(() => import('./purge-group.ts').then((code) => code.purgeGroup), { concurrency: 2 }),
};
