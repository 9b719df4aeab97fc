import { deleteAll, type Tx } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { type Announcement, announce } from '../destinations/announce.ts';
import { SQL_WEBHOOK } from '../destinations/policy-names.ts';
import { textsOf } from '../engine/json.ts';
import type { PlatformJar } from '../jar.ts';
import { readTaskVariables } from '../secrets/task-variables.ts';
import {
  type EndpointConfig,
  entityUses,
  type PendingConfig,
  type ServedEntity,
  type ServingEndpoint,
  servingEndpoints,
  useKey,
} from './collections.ts';
import { awaitModels } from './containers/await-model.ts';
import { dropContainers } from './containers/new-containers.ts';
import { syncModel } from './containers/sync.ts';
import { modelProblem } from './models.ts';
import { scalesToZero } from './query/scale.ts';
import { putEndpoint, recordEndpoint } from './update.ts';
import { FINISH_UPDATE, REMOVE_USES, START_ENTITY } from './work.ts';

/** A variable of an entity that makes its deployment fail, with the reason as its value. The real service does not have it. */
export const DEPLOYMENT_ERROR = 'CLOUDJAR_DEPLOYMENT_ERROR';

/** Ends the update of an endpoint: the pending configuration comes into force, or its entities get the reason of the failure. */
const finishUpdate = workHandler(FINISH_UPDATE, async (item, jar: PlatformJar) => {
  const { key, version } = item.payload;
  const begun = (await jar.store.get(servingEndpoints, key))?.value;
  const unanswered = begun?.pending ? await awaitModels(jar, begun, begun.pending) : new Map();
  await jar.store.transact(async (tx) => {
    const endpoint = (await tx.get(servingEndpoints, key))?.value;
    await tx.complete(item);
    const { pending, update } = endpoint ?? {};
    if (!endpoint || update !== 'IN_PROGRESS' || pending?.version !== version) return;
    const ended = await endOf(tx, jar, endpoint, pending, unanswered);
    await putEndpoint(tx, jar, ended);
    if (ended.config?.version === version) await beginUses(tx, jar, ended, endpoint.config);
    await dropContainers(tx, jar, endpoint, ended.update === 'UPDATE_FAILED' ? pending : endpoint.config);
    const isFailed = ended.update === 'UPDATE_FAILED';
    await recordEndpoint(tx, jar, 'update', ended, isFailed ? 'Failed' : 'Succeeded');
    await notify(tx, jar, ended, version);
  });
});

/** Entities that may scale to zero are running now. The use records of earlier entities are deleted. */
async function beginUses(
  tx: Tx,
  { clock }: PlatformJar,
  endpoint: ServingEndpoint,
  before: EndpointConfig | undefined,
): Promise<void> {
  const { config, workspaceId, id } = endpoint;
  for (const entity of config?.entities ?? [])
    if (config && scalesToZero(entity))
      await tx.put(entityUses, useKey(endpoint, config, entity.name), { usedAt: clock.now() });
  if (before) await tx.schedule(REMOVE_USES.at(clock.now(), { prefix: `${workspaceId}/${id}/${before.version}/` }));
}

async function endOf(
  tx: Tx,
  jar: PlatformJar,
  endpoint: ServingEndpoint,
  pending: PendingConfig,
  unanswered: ReadonlyMap<string, string>,
): Promise<ServingEndpoint> {
  const problems: (string | undefined)[] = [];
  for (const entity of pending.entities)
    problems.push(
      (await modelProblem(tx, jar, endpoint, entity)) ??
        (await problemOf(tx, jar, endpoint, entity)) ??
        unanswered.get(entity.name),
    );
  const { pending: _, ...rest } = endpoint;
  if (problems.every((problem) => problem === undefined)) {
    const { startedAt: __, ...config } = pending;
    const entities = pending.entities.map(
      (entity) => ({ ...entity, deployment: 'DEPLOYMENT_READY', message: '' }) as const,
    );
    return { ...rest, config: { ...config, entities }, update: 'NOT_UPDATING' };
  }
  const entities = pending.entities.map((entity, index): ServedEntity => {
    const problem = problems[index];
    return problem === undefined
      ? { ...entity, deployment: 'DEPLOYMENT_ABORTED', message: 'The deployment of another served entity has failed.' }
      : { ...entity, deployment: 'DEPLOYMENT_FAILED', message: problem };
  });
  return { ...rest, pending: { ...pending, entities }, update: 'UPDATE_FAILED' };
}

/** Why an entity cannot be deployed: a secret that its creator may not read, or a failure that a test requested. */
async function problemOf(
  tx: Tx,
  jar: PlatformJar,
  { accountId, workspaceId }: ServingEndpoint,
  { fields, creator }: ServedEntity,
): Promise<string | undefined> {
  const variables = fields.environment_vars;
  if (!isObject(variables)) return undefined;
  const ordered = variables[DEPLOYMENT_ERROR];
  if (typeof ordered === 'string' && ordered !== '') return ordered;
  const read = await readTaskVariables(tx, jar, { accountId, workspaceId, runAs: creator }, variables);
  return typeof read === 'string' ? read : undefined;
}

async function notify(tx: Tx, jar: PlatformJar, endpoint: ServingEndpoint, version: number): Promise<void> {
  const { accountId, workspaceId, name, notifications = {}, update, pending } = endpoint;
  const isFailed = update === 'UPDATE_FAILED';
  const addresses = textsOf(isFailed ? notifications.on_update_failure : notifications.on_update_success);
  if (addresses.length === 0) return;
  const headline = `Serving endpoint ${name}: the update to configuration ${version} has ${isFailed ? 'failed' : 'succeeded'}`;
  const reasons = (pending?.entities ?? []).map((entity) => `${entity.name}: ${entity.message}`);
  const text = `${[headline, ...(isFailed ? reasons : [])].join('\n')}\n`;
  const what: Announcement = { accountId, workspaceId, policy: SQL_WEBHOOK, headline, text, webhook: {} };
  await announce(tx, jar, what, { addresses, destinations: [] });
}

const startEntity = workHandler(START_ENTITY, async (item, jar: PlatformJar) => {
  const { key } = item.payload;
  await jar.store.transact(async (tx) => {
    const use = (await tx.get(entityUses, key))?.value;
    await tx.complete(item);
    if (use?.isStarting) await tx.put(entityUses, key, { usedAt: jar.clock.now() });
  });
});

const removeUses = workHandler(REMOVE_USES, async ({ payload }, jar: PlatformJar) => {
  await deleteAll(jar.store, entityUses, { prefix: payload.prefix });
});

export const SERVING_HANDLERS = [finishUpdate, startEntity, removeUses, syncModel] as const;
