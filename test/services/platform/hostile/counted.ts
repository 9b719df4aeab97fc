import { quotaCounts, readCountKey } from '../../../../src/kernel/limits/quota-count.ts';
import { readScopeKey } from '../../../../src/kernel/limits/scope.ts';
import { type Collection, readAll, type Store } from '../../../../src/kernel/store/index.ts';
import { accessTokens } from '../../../../src/services/platform/access/token-collections.ts';
import { principals, workspaces } from '../../../../src/services/platform/accounts/collections.ts';
import { apps } from '../../../../src/services/platform/apps/collections.ts';
import { byId } from '../../../../src/services/platform/catalog/core/chain.ts';
import { isSystems, securables } from '../../../../src/services/platform/catalog/core/securables.ts';
import { SECURABLE_KINDS } from '../../../../src/services/platform/catalog/kinds.ts';
import { sharedObjects } from '../../../../src/services/platform/catalog/sharing/collections.ts';
import { SHARED_ROWS } from '../../../../src/services/platform/catalog/sharing/shares/counts.ts';
import { contexts } from '../../../../src/services/platform/compute/collections.ts';
import { objects } from '../../../../src/services/platform/engine/objects.ts';
import { jobs, runs, taskRuns } from '../../../../src/services/platform/jobs/collections.ts';
import { type RowId, rowOf } from '../../../../src/services/platform/limits/declared.ts';
import { listings, marketProviders } from '../../../../src/services/platform/marketplace/collections.ts';
import { ipAccessLists } from '../../../../src/services/platform/network/collections.ts';
import {
  endpointRules,
  networkConfigurations,
} from '../../../../src/services/platform/network/connectivity/collections.ts';
import { OBJECT_KINDS } from '../../../../src/services/platform/object-kinds.ts';
import { federationPolicies, principalSecrets } from '../../../../src/services/platform/oidc/collections.ts';
import { pipelineKey, pipelines, updates } from '../../../../src/services/platform/pipelines/collections.ts';
import { secretScopes, secrets } from '../../../../src/services/platform/secrets/collections.ts';
import { servingEndpoints } from '../../../../src/services/platform/serving/collections.ts';
import { warehouses } from '../../../../src/services/platform/warehouses/collections.ts';

/** Counts of the platform by limit and scope: those that decide, and what there is to count. */
export type Counts = Readonly<Record<string, number>>;

/** Not found by counting documents: what was made in an hour, and tasks that run. */
const ELSEWHERE = new Set(['platform.jobs-created', 'platform.running-tasks']);

/** Those that decide whether something more may be made. */
export async function deciding(store: Store): Promise<Counts> {
  const found = (await readAll(store, quotaCounts)).map(({ key, value }) => ({ ...readCountKey(key), ...value }));
  const own = found.filter(
    ({ limit, used }) => limit.startsWith('platform.') && !ELSEWHERE.has(limit) && used !== undefined,
  );
  return Object.fromEntries(
    own
      .map(({ limit, scope, used = 0 }) => [`${limit} ${readScopeKey(scope, 2).join('/')}`, used] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** What is stored, counted by itself. */
export async function stored(store: Store): Promise<Counts> {
  const counts = new Map<string, number>();
  const add = (row: RowId, scope: readonly string[], count = 1): void => {
    const name = `platform.${row} ${scope.join('/')}`;
    if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
  };
  const all = async <T>(collection: Collection<T>): Promise<readonly T[]> =>
    (await readAll(store, collection)).map(({ value }) => value);

  for (const { scope, addresses } of await all(ipAccessLists))
    add(scope.includes('-') ? 'ip-access-account' : 'ip-access-workspace', [scope], addresses.length);
  for (const { workspaceId, clusterId } of await all(contexts)) add('cluster-contexts', [workspaceId, clusterId]);
  for (const { workspaceId } of await all(jobs)) add('saved-jobs', [workspaceId]);
  for (const { accountId, kind, system } of await all(principals))
    if (!system) add(kind === 'group' ? 'groups' : 'principals', [accountId]);
  for (const { workspaceId } of await all(secretScopes)) add('secret-scopes', [workspaceId]);
  for (const { scope } of await all(secrets)) add('scope-secrets', scope.split('/'));
  for (const { workspaceId, accountId, region, state, units = 0 } of await all(warehouses)) {
    if (state !== 'DELETING') add('warehouses', [workspaceId]);
    add('serverless', [accountId, region], units);
  }
  for (const { workspaceId } of await all(servingEndpoints)) add('serving-endpoints', [workspaceId]);
  for (const { workspaceId, compute } of await all(apps)) if (compute !== 'DELETING') add('apps', [workspaceId]);
  for (const { workspaceId, pipelineId, hasRoom, units = 0 } of await all(updates)) {
    if (!hasRoom) continue;
    add('pipeline-updates', [workspaceId]);
    const pipeline = (await store.get(pipelines, pipelineKey(workspaceId, pipelineId)))?.value;
    add('serverless', [pipeline?.accountId ?? '', pipeline?.region ?? ''], units);
  }
  const accountOf = new Map(
    (await all(runs)).map(({ workspaceId, id, accountId }) => [`${workspaceId}/${id}`, accountId]),
  );
  for (const { workspaceId, runId, state, serverless } of await all(taskRuns))
    if (state !== 'TERMINATED' && serverless)
      add('serverless', [accountOf.get(`${workspaceId}/${runId}`) ?? '', serverless.region], serverless.units);
  for (const { accountId, region } of await all(networkConfigurations))
    add('network-configurations', [accountId, region]);
  for (const { accountId, region } of await all(endpointRules)) add('private-endpoints', [accountId, region]);
  for (const { workspaceId, owner } of await all(accessTokens)) add('user-tokens', [workspaceId, owner]);
  for (const { accountId, principal } of await all(principalSecrets)) add('principal-secrets', [accountId, principal]);
  for (const { accountId, principal = '' } of await all(federationPolicies))
    add('federation-policies', [accountId, principal]);
  for (const { accountId, details } of await all(workspaces)) {
    const network = details?.network_connectivity_config_id;
    if (typeof network === 'string') add('configuration-workspaces', [accountId, network]);
  }
  for (const securable of await all(securables)) {
    const { kind, metastore, parent } = securable;
    const rows = SECURABLE_KINDS.find(({ type }) => type === kind)?.limits ?? [];
    if (!isSystems(securable))
      for (const row of rows) add(row, rowOf(row).parts.length > 1 ? [metastore, parent] : [metastore]);
  }
  for (const { share, type } of await all(sharedObjects)) {
    const metastore = (await byId(store, share))?.metastore ?? '';
    add(SHARED_ROWS[type], [metastore, share]);
  }
  for (const { metastore } of await all(listings)) add('listings', [metastore]);
  for (const { accountId } of await all(marketProviders)) add('marketplace-providers', [accountId]);
  for (const { kind, scope, parent = '' } of await all(objects)) {
    const row = OBJECT_KINDS.find(({ name }) => name === kind)?.limit;
    if (row) add(row, rowOf(row).parts.length > 1 ? [scope, parent] : [scope]);
  }
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
