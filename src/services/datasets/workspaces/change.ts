import type { Json, Tx } from '../../../kernel/store/index.ts';
import { workspaceNotFound } from '../access/lookup.ts';
import { placeIn } from '../access/place.ts';
import { type DatasetsChange, recordChange, workspaceSubject } from '../changes.ts';
import { type Workspace, workspaces } from '../collections.ts';
import type { DatasetsCall } from '../jar.ts';

export interface ChangedWorkspace {
  readonly workspace: Workspace;
  /** Additional data for the change feed. */
  readonly data?: Readonly<Record<string, Json>>;
}

/** Changes the call's workspace in one transaction. `change` throws to reject, and must await nothing but the transaction. */
export async function changeWorkspace(
  call: DatasetsCall,
  kind: DatasetsChange['kind'],
  change: (workspace: Workspace, tx: Tx) => ChangedWorkspace | Promise<ChangedWorkspace>,
): Promise<void> {
  const { jar } = call;
  const { key } = placeIn(call);
  await jar.store.transact(async (tx) => {
    const found = (await tx.get(workspaces, key))?.value;
    if (!found) throw workspaceNotFound(key);
    const { workspace, data } = await change(found, tx);
    await tx.put(workspaces, key, workspace);
    const { tenantId, name } = workspace;
    await recordChange(tx, jar, {
      kind,
      subject: workspaceSubject(key),
      data: { tenantId, workspace: key, name, ...data },
    });
  });
}
