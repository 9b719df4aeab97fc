import { defineWork } from '../../../../kernel/work/index.ts';

/** The retention of a deleted logged model has passed. */
export const PURGE_LOGGED_MODEL = defineWork<{ readonly workspaceId: string; readonly id: string }>(
  'platform.purge-logged-model',
  { title: 'Removes a deleted logged model', subject: 'id', concurrency: 2 },
);

export const purgeLoggedModelId = (workspaceId: string, id: string): string =>
  `platform.purge-logged-model:${workspaceId}/${id}`;
