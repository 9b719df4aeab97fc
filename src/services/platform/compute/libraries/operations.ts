import { ok } from '../../../../kernel/http/index.ts';
import { allOf, eq, readAll } from '../../../../kernel/store/index.ts';
import type { FieldRules } from '../../engine/fields.ts';
import { type PlatformCall, routeCode, workspaceIn } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { readersFilter } from '../../permissions/guard.ts';
import { findCluster, keyOf } from '../clusters/find.ts';
import { queryText, readRequest } from '../clusters/request.ts';
import { recordCluster } from '../clusters/save.ts';
import { type ClusterLibraries, clusterLibraries, clusters } from '../collections.ts';
import { installLibraries, librariesOf, uninstallLibraries } from './install.ts';
import { readLibraries } from './read.ts';

const REQUEST: FieldRules = {
  cluster_id: { type: 'string', required: true },
  libraries: { type: 'array', required: true, most: 500 },
};

const view = ({ clusterId, libraries }: ClusterLibraries): object => ({
  cluster_id: clusterId,
  library_statuses: libraries.map(({ library, status, messages }) => ({
    library,
    status,
    ...(messages.length > 0 && { messages }),
    is_library_for_all_clusters: false,
  })),
});

const change = (call: PlatformCall, verb: 'install' | 'uninstall'): Promise<void> => {
  const { cluster_id, libraries } = readRequest(call, REQUEST);
  const named = readLibraries(libraries);
  return call.jar.store.transact(async (tx) => {
    const cluster = await findCluster(call, String(cluster_id), 'CAN_MANAGE', tx);
    if (verb === 'install') await installLibraries(tx, call.jar, cluster, named);
    else await uninstallLibraries(tx, cluster, named);
    await recordCluster(tx, call.jar, `${verb}-libraries`, cluster);
  });
};

/** All clusters of the workspace that have libraries and that the caller may see. */
async function allStatuses(call: PlatformCall): Promise<readonly object[]> {
  const { store } = call.jar;
  const workspace = eq('workspace', workspaceIn(call).id);
  const visible = await readAll(store, clusters, {
    filter: allOf(workspace, eq('unlisted', null), readersFilter(call)),
  });
  const keys = new Set(visible.map(({ value }) => keyOf(value)));
  const held = await readAll(store, clusterLibraries, { filter: workspace });
  return held.filter(({ key, value }) => keys.has(key) && value.libraries.length > 0).map(({ value }) => view(value));
}

export const LIBRARY_OPERATIONS: readonly Operation[] = [
  ...(['install', 'uninstall'] as const).map(
    (verb): Operation => ({
      method: 'POST',
      path: `/libraries/${verb}`,
      operation: `libraries_${verb}`,
      summary: verb === 'install' ? 'Installs libraries on a cluster' : 'Removes libraries when the cluster restarts',
      code: routeCode([], {
        async handle(call) {
          await change(call, verb);
          return ok({});
        },
      }),
    }),
  ),
  {
    method: 'GET',
    path: '/libraries/cluster-status',
    operation: 'libraries_clusterStatus',
    summary: 'Reads the libraries of a cluster with their installation states',
    code: routeCode([], {
      async handle(call) {
        const cluster = await findCluster(call, queryText(call, 'cluster_id'), 'CAN_ATTACH_TO');
        return ok(view(await librariesOf(call.jar.store, cluster)));
      },
    }),
  },
  {
    method: 'GET',
    path: '/libraries/all-cluster-statuses',
    operation: 'libraries_allClusterStatuses',
    summary: 'Lists the libraries of all clusters',
    code: routeCode([], { handle: async (call) => ok({ statuses: await allStatuses(call) }) }),
  },
];
