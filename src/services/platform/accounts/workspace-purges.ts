import { dropCounts } from '../../../kernel/limits/index.ts';
import { SLICE } from '../../../kernel/store/index.ts';
import { appDeployments } from '../apps/collections.ts';
import { purgeApps } from '../apps/purge.ts';
import { metastoreAssignments } from '../catalog/core/collections.ts';
import { purgeBindings } from '../catalog/core/purge-bindings.ts';
import { clusterEvents, clusterLibraries, clusters, commands } from '../compute/collections.ts';
import { purgeContexts } from '../compute/contexts/purge.ts';
import { poolReturns } from '../compute/pools/collections.ts';
import { objects } from '../engine/objects.ts';
import { gitCredentials } from '../git/collections.ts';
import { jobKey, jobs, runs } from '../jobs/collections.ts';
import { cancelRun } from '../jobs/running/cancel.ts';
import { deleteRun } from '../jobs/schedule/forget-run.ts';
import { fireId } from '../jobs/schedule/work.ts';
import { forgetTriggers } from '../jobs/triggers/plan.ts';
import { QUOTAS_OF_WORKSPACES } from '../limits/declared.ts';
import { freeCount } from '../limits/take.ts';
import { ipAccessLists, ipGuards, workspaceConfs } from '../network/collections.ts';
import { workspaceNetworks } from '../network/connectivity/collections.ts';
import { authorizations } from '../permissions/collections.ts';
import { pipelines } from '../pipelines/collections.ts';
import { removePipeline } from '../pipelines/remove.ts';
import { activities, models, registryRoots, requests, versions } from '../registry/collections.ts';
import { openWebhooks, webhooks } from '../registry/webhooks/collections.ts';
import { secretScopes, secrets, secretValues } from '../secrets/collections.ts';
import { entityUses, servingEndpoints } from '../serving/collections.ts';
import { purgeModelContainers } from '../serving/containers/sync.ts';
import { queryResults } from '../sql/results/collections.ts';
import {
  datasets,
  experiments,
  experimentTags,
  runDatasets,
  runModels,
  runParams,
  runTags,
  trackedRuns,
} from '../tracking/collections.ts';
import { removingMetrics } from '../tracking/purge.ts';
import { treeNodes } from '../tree/collections.ts';
import { removeNodeWithContent } from '../tree/purge.ts';
import { warehouseConfigs, warehouses } from '../warehouses/collections.ts';
import { statementChunks, statements } from '../warehouses/statements/collections.ts';
import { IDENTITY_PURGES } from './identity-purges.ts';
import { purgeDocument, purgeOf, type WorkspacePurge } from './purge.ts';

/** Removes jobs with their schedules and triggers. */
const purgeJobs: WorkspacePurge =
  ({ store }, { id }) =>
  () =>
    store.transact(async (tx) => {
      const { items } = await tx.query(jobs, { prefix: `${id}/`, limit: SLICE });
      for (const { value } of items) {
        const key = jobKey(value.workspaceId, value.id);
        await tx.delete(jobs, key);
        await tx.cancel(fireId(key));
        await forgetTriggers(tx, key);
      }
      return items.length === SLICE;
    });

const WITH_WORKSPACE = { outcome: 'CANCELED', message: 'The workspace was deleted.' } as const;

/** Runs per transaction, since each may have many tasks. */
const RUNS_AT_ONCE = 20;

/**
 * Runs are cancelled before they are removed, so that no container is left behind. A run whose container is still stopping is removed
 * later, with ended runs.
 */
const purgeRuns: WorkspacePurge = (jar, { id }) => {
  let last: string | undefined;
  return async () => {
    const from = last;
    const keys = await jar.store.transact(async (tx) => {
      const order = [{ field: 'key' }];
      const page = { prefix: `${id}/`, order, limit: RUNS_AT_ONCE, ...(from !== undefined && { after: [from] }) };
      const { items } = await tx.query(runs, page);
      for (const { key, value } of items) {
        if (value.state !== 'TERMINATED') await cancelRun(tx, jar, value, WITH_WORKSPACE);
        const run = (await tx.get(runs, key))?.value;
        if (run?.state === 'TERMINATED') await deleteRun(tx, jar, run);
      }
      return items.map(({ key }) => key);
    });
    last = keys.at(-1);
    return keys.length === RUNS_AT_ONCE;
  };
};

/** Frees the serverless quota that the warehouses use: it belongs to the account, which remains. */
const purgeWarehouses: WorkspacePurge =
  (jar, { id }) =>
  () =>
    jar.store.transact(async (tx) => {
      const { items } = await tx.query(warehouses, { prefix: `${id}/`, limit: SLICE });
      for (const { key, value } of items) {
        const { accountId, region, units } = value;
        await tx.delete(warehouses, key);
        if (units !== undefined)
          await freeCount(tx, jar, { row: 'serverless', scope: [accountId, region], count: units });
      }
      return items.length === SLICE;
    });

/** Points of metrics are found through their metrics. */
const purgeMetrics: WorkspacePurge = (jar, { id }) => removingMetrics(jar, { prefix: `${id}/` });
/**
 * Running updates are stopped first: the serverless quota that they use belongs to the account. Separate work items remove the other data
 * of pipelines.
 */
const purgePipelines: WorkspacePurge =
  (jar, { id }) =>
  () =>
    jar.store.transact(async (tx) => {
      const { items } = await tx.query(pipelines, { prefix: `${id}/`, limit: RUNS_AT_ONCE });
      for (const { key } of items) await removePipeline(tx, jar, key);
      return items.length === RUNS_AT_ONCE;
    });

const FILES_AT_ONCE = 50;

/** Directories need no separate work: the keys of everything below them start with the workspace id as well. */
const purgeFiles: WorkspacePurge =
  (jar, { id }) =>
  () =>
    jar.store.transact(async (tx) => {
      const { items } = await tx.query(treeNodes, { prefix: `${id}/`, limit: FILES_AT_ONCE });
      for (const { value } of items) {
        const { inside: _, ...node } = value;
        await removeNodeWithContent(tx, jar, node);
      }
      return items.length === FILES_AT_ONCE;
    });

/** Runs last, since the earlier steps free the counts they know of; remaining counts belong to deleted objects. */
const purgeCounts: readonly WorkspacePurge[] = QUOTAS_OF_WORKSPACES.map(
  (limit): WorkspacePurge =>
    ({ store }, { id }) =>
    () =>
      store.transact((tx) => dropCounts(tx, limit, [id])),
);

/** Purge steps for a deleted workspace, in this order. A part of the platform that stores documents per workspace adds its lines here. */
export const WORKSPACE_PURGES: readonly WorkspacePurge[] = [
  ...IDENTITY_PURGES,
  purgeJobs,
  purgeRuns,
  purgePipelines,
  purgeFiles,
  purgeOf(authorizations),
  purgeOf(objects),
  purgeOf(clusters),
  purgeOf(clusterEvents),
  purgeOf(clusterLibraries),
  purgeOf(poolReturns),
  purgeContexts,
  purgeOf(commands),
  purgeOf(queryResults),
  purgeWarehouses,
  purgeOf(statements),
  purgeOf(statementChunks),
  purgeDocument(warehouseConfigs),
  purgeOf(servingEndpoints),
  purgeOf(entityUses),
  purgeModelContainers,
  purgeApps,
  purgeOf(appDeployments),
  purgeOf(secretScopes),
  purgeOf(secrets),
  purgeOf(secretValues),
  purgeOf(ipAccessLists),
  purgeDocument(ipGuards),
  purgeDocument(workspaceConfs),
  purgeDocument(workspaceNetworks),
  purgeOf(gitCredentials),
  purgeMetrics,
  purgeOf(runParams),
  purgeOf(runTags),
  purgeOf(runDatasets),
  purgeOf(runModels),
  purgeOf(trackedRuns),
  purgeOf(datasets),
  purgeOf(experimentTags),
  purgeOf(experiments),
  purgeOf(models),
  purgeOf(versions),
  purgeOf(activities),
  purgeOf(requests),
  purgeDocument(registryRoots),
  purgeOf(webhooks),
  purgeOf(openWebhooks),
  purgeDocument(metastoreAssignments),
  purgeBindings,
  ...purgeCounts,
];
