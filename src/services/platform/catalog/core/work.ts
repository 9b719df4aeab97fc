import { defineWork } from '../../../../kernel/work/index.ts';

/** What lay in a removed securable is left. */
export const REMOVE_SECURABLES = defineWork<{ readonly kind: string; readonly id: string }>(
  'platform.remove-securables',
  { concurrency: 4 },
);

export const removalId = (id: string): string => `platform.remove-securables:${id}`;

export const CATALOG_WORK = [REMOVE_SECURABLES] as const;
