import { defineWork } from '../../../../kernel/work/index.ts';
import { MODEL_WORK } from '../models/work.ts';
import type { Securable } from './securables.ts';

/** Removes the remaining descendants of a removed securable. */
export const REMOVE_SECURABLES = defineWork<{ readonly kind: string; readonly id: string }>(
  'platform.remove-securables',
  { title: 'Removes the content of a removed catalog object', subject: 'id', concurrency: 4 },
);

export const removalId = (id: string): string => `platform.remove-securables:${id}`;

/** Removes the remaining tags and lineage of a removed securable. */
export const REMOVE_ATTACHED = defineWork<Pick<Securable, 'id' | 'metastore' | 'kind'>>('platform.remove-attached', {
  title: 'Removes tags and lineage of a removed catalog object',
  subject: 'id',
  concurrency: 4,
});

export const attachedId = (id: string): string => `platform.remove-attached:${id}`;

export const CATALOG_WORK = [REMOVE_SECURABLES, REMOVE_ATTACHED, ...MODEL_WORK] as const;
