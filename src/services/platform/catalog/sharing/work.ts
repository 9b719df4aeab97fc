import { defineWork } from '../../../../kernel/work/index.ts';

/** Removes the remaining objects of a removed share. */
export const DROP_SHARED = defineWork<{ readonly share: string }>('platform.drop-shared-objects', {
  title: 'Removes the objects of a removed share',
  subject: 'share',
  concurrency: 4,
});

export const dropSharedId = (share: string): string => `platform.drop-shared-objects:${share}`;

export const SHARING_WORK = [DROP_SHARED] as const;
