import { defineWork } from '../../kernel/work/index.ts';

/** Removes an object whose retention in the trash is over. */
export const PURGE_OBJECT = defineWork<{ readonly key: string }>('platform.purge-object', {
  title: 'Removes an object from the trash',
  subject: 'key',
  concurrency: 8,
});

export const purgeId = (key: string): string => `platform.purge-object:${key}`;

/** Removes objects that belonged to a removed object. */
export const REMOVE_CHILDREN = defineWork<{ readonly scope: string; readonly kind: string; readonly id: string }>(
  'platform.remove-children',
  { title: 'Removes the content of a removed object', subject: 'id', concurrency: 8 },
);

export const removalId = (key: string): string => `platform.remove-children:${key}`;
