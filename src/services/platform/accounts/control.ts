import { Type } from 'typebox';
import { tenants } from '../../../kernel/auth/index.ts';
import { ok, type Route, routeOf } from '../../../kernel/http/index.ts';
import { eq, readAll } from '../../../kernel/store/index.ts';
import { routeCode } from '../jar.ts';
import { workspaces } from './collections.ts';
import { accountOf } from './found-account.ts';

/** For the operator: lists accounts and workspaces, so that a client can be configured without a failing first call. */

const WorkspaceView = Type.Object({
  tenantId: Type.String(),
  accountId: Type.String(),
  workspaceId: Type.String(),
  name: Type.String(),
  status: Type.String(),
  /** Calls that name no workspace use it. */
  isDefault: Type.Boolean(),
});

const listWorkspaces = routeCode([], {
  responses: { 200: Type.Object({ value: Type.Array(WorkspaceView) }) },
  async handle({ jar }) {
    const value = [];
    for (const { value: tenant } of await readAll(jar.store, tenants)) {
      const { id, defaultWorkspace } = await accountOf(jar, tenant.id);
      const found = await readAll(jar.store, workspaces, { filter: eq('account', id), order: [{ field: 'name' }] });
      for (const { value: workspace } of found)
        value.push({
          tenantId: tenant.id,
          accountId: id,
          workspaceId: workspace.id,
          name: workspace.name,
          status: workspace.status,
          isDefault: workspace.id === defaultWorkspace,
        });
    }
    return ok({ value });
  },
});

export const accountControl: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: '/_jar/platform/workspaces',
      operation: 'Jar_ListPlatformWorkspaces',
      summary: 'The accounts of the data platform and their workspaces',
    },
    listWorkspaces,
  ),
];
