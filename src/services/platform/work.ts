import { defineWork } from '../../kernel/work/index.ts';

/** An object has been in the trash for as long as it may be. */
export const PURGE_OBJECT = defineWork<{ readonly key: string }>('platform.purge-object', { concurrency: 8 });

export const purgeId = (key: string): string => `platform.purge-object:${key}`;

/** Objects that belonged to a removed one are left. */
export const REMOVE_CHILDREN = defineWork<{ readonly scope: string; readonly kind: string; readonly id: string }>(
  'platform.remove-children',
  { concurrency: 8 },
);

export const removalId = (key: string): string => `platform.remove-children:${key}`;
