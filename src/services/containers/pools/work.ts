import type { Origin } from '../../../kernel/arm/index.ts';
import type { NewWork } from '../../../kernel/store/index.ts';
import { defineWork } from '../../../kernel/work/index.ts';

/** Fills or shrinks a pool to its configured number of instances. */
export const FILL_POOL = defineWork<{ readonly key: string }>('containers.fill-pool', {
  title: 'Fills a pool of container instances',
  subject: 'key',
  concurrency: 4,
});

/** Deletes the rest of a pool and ends the operation that waits for it. */
export const DELETE_POOL = defineWork<{ readonly key: string; readonly operation: string; readonly origin: Origin }>(
  'containers.delete-pool',
  { title: 'Deletes a pool of container instances', subject: 'key', concurrency: 4 },
);

export const fillWorkId = (key: string): string => `containers.pool:${key}`;

export const fillAt = (dueAt: number, key: string): NewWork & { readonly id: string } =>
  FILL_POOL.at(dueAt, { key }, fillWorkId(key));
