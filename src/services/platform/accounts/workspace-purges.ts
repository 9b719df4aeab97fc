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
import { removeWhole } from '../tree/purge.ts';
import { warehouseConfigs, warehouses } from '../warehouses/collections.ts';
import { statementChunks, statements } from '../warehouses/statements/collections.ts';
import { IDENTITY_PURGES } from './identity-purges.ts';
import { purgeDocument, purgeOf, type WorkspacePurge } from './purge.ts';

/** A job with its schedule and its triggers. */
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

/** Runs in one transaction: each may have many tasks. */
const RUNS_AT_ONCE = 20;

/** Runs are cancelled before they are removed, so that no container is left behind. One whose container is still ending goes when ended runs do. */
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

/** The serverless quota that they have taken is the account's, which stays. */
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

/** Points of metrics are found by the metrics. */
const purgeMetrics: WorkspacePurge = (jar, { id }) => removingMetrics(jar, { prefix: `${id}/` });
/** Updates that run end first: the serverless quota that they have taken is the account's. What pipelines leave is removed by work of their own. */
const purgePipelines: WorkspacePurge =
  (jar, { id }) =>
  () =>
    jar.store.transact(async (tx) => {
      const { items } = await tx.query(pipelines, { prefix: `${id}/`, limit: RUNS_AT_ONCE });
      for (const { key } of items) await removePipeline(tx, jar, key);
      return items.length === RUNS_AT_ONCE;
    });

const FILES_AT_ONCE = 50;

/** Directories need no work of their own: everything below them has a key of the workspace as well. */
const purgeFiles: WorkspacePurge =
  (jar, { id }) =>
  () =>
    jar.store.transact(async (tx) => {
      const { items } = await tx.query(treeNodes, { prefix: `${id}/`, limit: FILES_AT_ONCE });
      for (const { value } of items) {
        const { inside: _, ...node } = value;
        await removeWhole(tx, jar, node);
      }
      return items.length === FILES_AT_ONCE;
    });

/** Last, since the steps before free what they count: whatever is left belongs to things that are gone. */
const purgeCounts: readonly WorkspacePurge[] = QUOTAS_OF_WORKSPACES.map(
  (limit): WorkspacePurge =>
    ({ store }, { id }) =>
    () =>
      store.transact((tx) => dropCounts(tx, limit, [id])),
);

/** What goes with a workspace, in this order. A part of the platform that keeps documents for workspaces adds its lines here. */
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
