import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { callerOf, ownerOf } from '../access/caller.ts';
import { recordChange, workspaceSubject } from '../changes.ts';
import { type Workspace, workspaces } from '../collections.ts';
import { contextBase } from '../context.ts';
import { routeCode } from '../jar.ts';
import { readName, takeName, WorkspaceName } from './name.ts';
import { WorkspaceView, workspaceView } from './view.ts';

const Body = Type.Object({ name: WorkspaceName }, { additionalProperties: false });

export const createWorkspace = routeCode([], {
  query: Type.Object({ workspaceV2: Type.Optional(Type.String()) }),
  body: Body,
  responses: { 200: WorkspaceView },
  async handle(call) {
    const { jar } = call;
    const caller = callerOf(call);
    const { tenantId } = caller;
    const name = readName(call.body.name);
    const id = uuid();
    const workspace: Workspace = {
      id,
      tenantId,
      kind: 'group',
      name,
      users: [ownerOf(caller)],
      createdAt: jar.clock.now(),
    };
    await jar.store.transact(async (tx) => {
      await takeName(tx, tenantId, name);
      await tx.put(workspaces, id, workspace);
      await recordChange(tx, jar, {
        kind: 'create',
        subject: workspaceSubject(id),
        data: { tenantId, workspace: id, name },
      });
    });
    return ok({ '@odata.context': `${contextBase(call)}/$metadata#groups/$entity`, ...workspaceView(workspace) });
  },
});
