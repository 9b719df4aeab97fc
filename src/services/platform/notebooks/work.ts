import { defineWork } from '../../../kernel/work/index.ts';

/** Removes the dashboards and comments of a removed notebook. */
export const PURGE_NOTEBOOK = defineWork<{ readonly workspaceId: string; readonly notebookId: string }>(
  'platform.purge-notebook',
  { title: 'Removes the dashboards and comments of a removed notebook', subject: 'notebookId', concurrency: 2 },
);
