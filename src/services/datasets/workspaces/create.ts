import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { allOf, eq } from '../../../kernel/store/index.ts';
import { callerOf, ownerOf } from '../access/place.ts';
import { recordChange } from '../changes.ts';
import { type Workspace, workspaces } from '../collections.ts';
import { contextOf } from '../context.ts';
import { errors } from '../errors.ts';
import { routeCode } from '../jar.ts';
import { WorkspaceView, workspaceView } from './view.ts';

const Body = Type.Object({ name: Type.String({ minLength: 1, maxLength: 256, pattern: '\\S' }) });

export const createWorkspace = routeCode([], {
  query: Type.Object({ workspaceV2: Type.Optional(Type.String()) }),
  body: Body,
  responses: { 200: WorkspaceView },
  async handle(call) {
    const { jar } = call;
    const caller = callerOf(call);
    const { tenantId } = caller;
    const name = call.body.name.trim();
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
      // Names are unique in a tenant, whoever may see them.
      await tx.lock(`${workspaces.name}:${tenantId}`);
      const filter = allOf(eq('tenant', tenantId), eq('name', name.toLowerCase()), eq('kind', 'group'));
      if ((await tx.count(workspaces, { filter })) > 0) throw errors.PowerBIEntityAlreadyExists({ name });
      await tx.put(workspaces, id, workspace);
      await recordChange(tx, jar, {
        kind: 'create',
        subject: `/groups/${id}`,
        data: { tenantId, workspace: id, name },
      });
    });
    return ok({ ...contextOf(call, 'groups/$entity'), ...workspaceView(workspace) });
  },
});
