import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { allOf, eq, readAll } from '../../../kernel/store/index.ts';
import { placeIn } from '../access/place.ts';
import { datasets } from '../collections.ts';
import { contextOf } from '../context.ts';
import { routeCode } from '../jar.ts';

const LinkView = Type.Object({
  datasetObjectId: Type.String(),
  dataflowObjectId: Type.String(),
  workspaceObjectId: Type.String(),
});

/** The dataflows that the datasets of a workspace depend on, one link per pair. */
export const listUpstreamDataflows = routeCode(['group'], {
  responses: { 200: Type.Object({ value: Type.Array(LinkView) }) },
  async handle(call) {
    const filter = allOf(eq('workspace', placeIn(call).key), eq('isPending', false));
    const found = await readAll(call.jar.store, datasets, { filter, order: [{ field: 'createdAt' }] });
    const value = found.flatMap(({ value: { id, upstreamDataflows } }) =>
      upstreamDataflows.map(({ groupId, targetDataflowId }) => ({
        datasetObjectId: id,
        dataflowObjectId: targetDataflowId,
        workspaceObjectId: groupId,
      })),
    );
    return ok({ ...contextOf(call, 'datasets/upstreamDataflows'), value });
  },
});
