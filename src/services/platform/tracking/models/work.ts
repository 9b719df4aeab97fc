import { defineWork } from '../../../../kernel/work/index.ts';

/** A deleted logged model has been kept for as long as it may be. */
export const PURGE_LOGGED_MODEL = defineWork<{ readonly workspaceId: string; readonly id: string }>(
  'platform.purge-logged-model',
  {
    concurrency: 2,
  },
);

export const purgeLoggedModelId = (workspaceId: string, id: string): string =>
  `platform.purge-logged-model:${workspaceId}/${id}`;
