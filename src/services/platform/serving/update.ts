import type { Tx } from '../../../kernel/store/index.ts';
import { machineMs } from '../compute/timing.ts';
import { errors } from '../errors.ts';
import type { PlatformJar } from '../jar.ts';
import { freeCount } from '../limits/take.ts';
import {
  type EndpointConfig,
  endpointKey,
  type PendingConfig,
  type ServingEndpoint,
  servingEndpoints,
} from './collections.ts';
import { type ConfigDraft, checkCapture, checkConcurrency, nextVersion } from './config.ts';
import { addContainers, dropContainers } from './containers/new-containers.ts';
import { FINISH_UPDATE, finishUpdateId, REMOVE_USES } from './work.ts';

/** Changes of an endpoint, each within the caller's transaction. */

export const keyOf = ({ workspaceId, name }: Pick<ServingEndpoint, 'workspaceId' | 'name'>): string =>
  endpointKey(workspaceId, name);

/** For the audit trail and the change feed. */
export const recordEndpoint = (
  tx: Tx,
  { clock }: Pick<PlatformJar, 'clock'>,
  kind: string,
  { workspaceId, id, name, update }: ServingEndpoint,
  outcome: 'Succeeded' | 'Failed' = 'Succeeded',
): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${workspaceId}/serving-endpoints/${name}`,
    outcome,
    at: clock.now(),
    data: { kind: 'serving-endpoints', id, name, state: update },
  });

export async function putEndpoint(
  tx: Tx,
  jar: Pick<PlatformJar, 'clock'>,
  endpoint: ServingEndpoint,
): Promise<ServingEndpoint> {
  const changed = { ...endpoint, updatedAt: jar.clock.now() };
  await tx.put(servingEndpoints, keyOf(endpoint), changed);
  return changed;
}

/** Starts the deployment of a configuration; the previous configuration answers queries until the new one is ready. */
export async function beginUpdate(
  tx: Tx,
  jar: PlatformJar,
  endpoint: ServingEndpoint,
  { entities, routes, autoCapture }: ConfigDraft,
  creator: string,
): Promise<ServingEndpoint> {
  const { workspaceId, name, config, pending, update } = endpoint;
  if (update === 'IN_PROGRESS')
    throw errors.RESOURCE_CONFLICT({
      reason: `Endpoint ${name} is currently updating to configuration ${pending?.version}. Wait until the update has ended.`,
    });
  checkConcurrency(jar, workspaceId, name, { entities });
  checkCapture('auto_capture_config', config?.autoCapture, autoCapture);
  const now = jar.clock.now();
  const version = nextVersion(config, pending);
  const deployed: EndpointConfig['entities'] = entities.map((draft) => ({
    ...draft,
    deployment: 'DEPLOYMENT_CREATING',
    message: 'Creating resources for the served entity.',
    creator,
    createdAt: now,
  }));
  const updating = await putEndpoint(tx, jar, {
    ...endpoint,
    update: 'IN_PROGRESS',
    pending: { version, entities: deployed, routes, startedAt: now, ...(autoCapture && { autoCapture }) },
  });
  await addContainers(tx, jar, updating, updating.pending as PendingConfig);
  await dropContainers(tx, jar, updating, pending);
  const key = keyOf(endpoint);
  const isExternal = entities.every(({ fields }) => fields.external_model !== undefined);
  const dueAt = now + machineMs(jar, isExternal ? 'servingExternalUpdate' : 'servingUpdate');
  await tx.schedule(FINISH_UPDATE.at(dueAt, { key, version }, finishUpdateId(key)));
  return updating;
}

export async function deleteEndpoint(tx: Tx, jar: PlatformJar, endpoint: ServingEndpoint): Promise<void> {
  const key = keyOf(endpoint);
  const { workspaceId, id } = endpoint;
  await tx.delete(servingEndpoints, key);
  await tx.cancel(finishUpdateId(key));
  await freeCount(tx, jar, { row: 'serving-endpoints', scope: [workspaceId] });
  await recordEndpoint(tx, jar, 'delete', endpoint);
  await dropContainers(tx, jar, endpoint, endpoint.config);
  await dropContainers(tx, jar, endpoint, endpoint.pending);
  await tx.schedule(REMOVE_USES.at(jar.clock.now(), { prefix: `${workspaceId}/${id}/` }));
}
