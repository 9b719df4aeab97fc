import { ok } from '../../../../kernel/http/index.ts';
import { isObject, type JsonMembers } from '../../../../kernel/values/index.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { METADATA_OPERATIONS } from './metadata.ts';
import { columnLineage, listRelations, relationView, tableLineage } from './reads.ts';
import { changeRelation, createRelation, deleteRelation } from './relations.ts';
import { objectIn } from './sent-object.ts';

const PATH = '/lineage-tracking/external-lineage';
const WRAPPED = 'external_lineage_relationship';

/** The relation that a DELETE names: in the body, directly or in a member, or in the query. */
function namedIn({ body, query }: PlatformCall): unknown {
  if (isObject(body)) return (body as JsonMembers)[WRAPPED] ?? body;
  if (body !== undefined && body !== null) return body;
  return { source: objectIn(query, `${WRAPPED}.source`), target: objectIn(query, `${WRAPPED}.target`) };
}

/** Lineage: records written by clients, and reads that traverse them. */
export const LINEAGE_OPERATIONS: readonly Operation[] = [
  ...METADATA_OPERATIONS,
  {
    method: 'POST',
    path: PATH,
    operation: 'externalLineage_create',
    summary: 'Create a lineage relation between two objects',
    code: routeCode([], { handle: async (call) => ok(relationView(await createRelation(call))) }),
  },
  {
    method: 'GET',
    path: PATH,
    operation: 'externalLineage_list',
    summary: 'List the upstream or downstream lineage of an object',
    code: routeCode([], { handle: async (call) => ok(await listRelations(call)) }),
  },
  {
    method: 'PATCH',
    path: PATH,
    operation: 'externalLineage_update',
    summary: 'Change the columns or properties of a lineage relation',
    code: routeCode([], { handle: async (call) => ok(relationView(await changeRelation(call))) }),
  },
  {
    method: 'DELETE',
    path: PATH,
    operation: 'externalLineage_delete',
    summary: 'Delete a lineage relation',
    code: routeCode([], {
      async handle(call) {
        await deleteRelation(call, namedIn(call));
        return ok({});
      },
    }),
  },
  {
    method: 'GET',
    path: '/lineage-tracking/table-lineage',
    operation: 'lineage_table',
    summary: 'Read the lineage of a table',
    code: routeCode([], { handle: async (call) => ok(await tableLineage(call)) }),
  },
  {
    method: 'GET',
    path: '/lineage-tracking/column-lineage',
    operation: 'lineage_column',
    summary: 'Read the lineage of a column',
    code: routeCode([], { handle: async (call) => ok(await columnLineage(call)) }),
  },
];
