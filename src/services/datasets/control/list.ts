import { entityShape, listAnswer, listOf, listQuery } from '../../../kernel/odata/index.ts';
import { datasets } from '../collections.ts';
import { routeCode } from '../jar.ts';
import { DATASET_MODES, type Dataset, RETENTION_POLICIES } from '../model/types.ts';
import { controlErrors } from './errors.ts';
import { StatsView, statsOf, statsView } from './view.ts';

/** A dataset with the name of its workspace. */
interface Seen extends Dataset {
  readonly workspaceName: string;
}

const shape = entityShape<Dataset>({
  name: 'datasets',
  collection: datasets,
  properties: {
    id: { type: 'Edm.Guid', field: 'id' },
    name: { type: 'Edm.String', field: 'name', ignoreCase: true },
    tenantId: { type: 'Edm.Guid', field: 'tenant' },
    workspaceId: { type: 'Edm.String' },
    workspace: { type: 'Edm.String', read: (it: Seen) => it.workspaceName },
    mode: { type: { members: DATASET_MODES }, field: 'mode' },
    retention: { type: { members: RETENTION_POLICIES } },
    ownerId: { type: 'Edm.String' },
    configuredBy: { type: 'Edm.String' },
    createdAt: { type: 'Edm.DateTimeOffset', field: 'createdAt' },
    isPending: { type: 'Edm.Boolean', field: 'isPending' },
    // Sums over the tables of a dataset, computed for each dataset of the list.
    rows: { type: 'Edm.Int64' },
    pushedRows: { type: 'Edm.Int64' },
    pushedBytes: { type: 'Edm.Int64' },
  },
  scan: 'bounded',
});

export const listStats = routeCode([], {
  query: listQuery(shape),
  responses: { 200: listOf(StatsView) },
  handle: (call) =>
    listAnswer(call, {
      shape,
      seen: async ({ value }) => {
        const { rows, pushedRows, pushedBytes, workspace } = await statsOf(call.jar, value);
        return { ...value, rows, pushedRows, pushedBytes, workspaceId: workspace.id, workspaceName: workspace.name };
      },
      view: async ({ value }) => statsView(call.jar, await statsOf(call.jar, value)),
    }),
});

export const getStats = routeCode(['dataset'], {
  responses: { 200: StatsView },
  async handle({ jar, params: { dataset: id } }) {
    const found = await jar.store.get(datasets, id.toLowerCase());
    if (!found) throw controlErrors.DatasetNotFound({ id: id.slice(0, 100) });
    return { status: 200, body: await statsView(jar, await statsOf(jar, found.value)) };
  },
});
