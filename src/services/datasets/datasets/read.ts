import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { allOf, eq, readAll } from '../../../kernel/store/index.ts';
import { findDataset } from '../access/find.ts';
import { placeIn } from '../access/place.ts';
import { datasets } from '../collections.ts';
import { contextOf } from '../context.ts';
import { routeCode } from '../jar.ts';
import { EXPAND_QUERY, expander } from './expand.ts';
import { DatasetView, datasetView } from './view.ts';

/** As in the real service, the list has no pages: a workspace has few datasets. */
export const listDatasets = routeCode([], {
  query: EXPAND_QUERY,
  responses: { 200: Type.Object({ value: Type.Array(DatasetView) }) },
  async handle(call) {
    const expand = expander(call.query.$expand);
    const filter = allOf(eq('workspace', placeIn(call).key), eq('isPending', false));
    const found = await readAll(call.jar.store, datasets, { filter, order: [{ field: 'createdAt' }] });
    return ok({
      ...contextOf(call, 'datasets'),
      value: found.map(({ value }) => ({ ...datasetView(call, value), ...expand(value) })),
    });
  },
});

export const getDataset = routeCode(['dataset'], {
  query: EXPAND_QUERY,
  responses: { 200: DatasetView },
  async handle(call) {
    const expand = expander(call.query.$expand);
    const dataset = await findDataset(call, call.params.dataset);
    return ok({ ...contextOf(call, 'datasets/$entity'), ...datasetView(call, dataset), ...expand(dataset) });
  },
});
