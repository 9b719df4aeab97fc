import { errorTable } from '../../../kernel/http/index.ts';
import type { Reader } from '../../../kernel/store/index.ts';
import { type Workspace, workspaces } from '../accounts/collections.ts';

const workspaceErrors = errorTable({
  WorkspaceNotFound: [404, "There is no workspace '{id}'."],
  WorkspaceNotSaid: [
    400,
    "The jar does not have exactly one workspace (the first call to the platform makes one): say 'workspaceId'.",
  ],
});

/** The workspace that a call of the control API means: the only one of the jar unless it names one. */
export async function workspaceFor(reader: Reader, id: string | undefined): Promise<Workspace> {
  if (id !== undefined) {
    const found = await reader.get(workspaces, id, 'none');
    if (!found) throw workspaceErrors.WorkspaceNotFound({ id: id.slice(0, 100) });
    return found.value;
  }
  const { items } = await reader.query(workspaces, { limit: 2 });
  const [only, another] = items;
  if (!only || another) throw workspaceErrors.WorkspaceNotSaid();
  return only.value;
}
