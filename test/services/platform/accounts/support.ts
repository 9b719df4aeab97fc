import type { Ask } from '../support.ts';

/** Calls that name a workspace, as the published clients do. */
export const inWorkspace =
  (ask: Ask, workspace: number | string): Ask =>
  (method, path, body) =>
    ask(method, path, body, { 'x-databricks-org-id': String(workspace) });
