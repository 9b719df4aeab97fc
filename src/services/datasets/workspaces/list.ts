import { Type } from 'typebox';
import { entityShape, LIST_QUERY, odataPage } from '../../../kernel/odata/index.ts';
import { callerOf, granteeOf } from '../access/caller.ts';
import { type Workspace, workspaces } from '../collections.ts';
import { contextBase } from '../context.ts';
import { routeCode } from '../jar.ts';
import { WorkspaceView, workspaceView } from './view.ts';

const shape = entityShape<Workspace>({
  name: 'groups',
  collection: workspaces,
  properties: {
    id: { type: 'Edm.Guid', field: 'id' },
    name: { type: 'Edm.String', field: 'name', ignoreCase: true },
  },
  scan: 'bounded',
});

/** The real list is not paged unless the caller sends `$top` and `$skip`. */
const RULES = { size: 5000, most: 5000, top: 'total' } as const;

export const listWorkspaces = routeCode([], {
  query: Type.Object({ $filter: LIST_QUERY.$filter, $top: LIST_QUERY.$top, $skip: Type.Optional(Type.String()) }),
  responses: { 200: Type.Object({ value: Type.Array(WorkspaceView) }) },
  handle(call) {
    const { tenantId } = callerOf(call);
    const { principals } = granteeOf(call);
    return odataPage(
      call,
      {
        shape,
        name: 'groups',
        base: contextBase(call),
        filter: {
          op: 'and',
          args: [
            { op: 'hasAny', field: 'members', values: [...principals] },
            { op: 'eq', field: 'tenant', value: tenantId },
            { op: 'eq', field: 'kind', value: 'group' },
          ],
        },
        view: ({ value }) => workspaceView(value),
        codeOf: () => 'InvalidRequest',
      },
      RULES,
    );
  },
});
