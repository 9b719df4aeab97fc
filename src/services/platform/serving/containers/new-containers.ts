import { NO_STATUS } from '../../../../kernel/engines/index.ts';
import { uuid } from '../../../../kernel/ids/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { isObject } from '../../../../kernel/values/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { readTaskVariables } from '../../secrets/task-variables.ts';
import {
  type EndpointConfig,
  modelContainers,
  type ServedEntity,
  type ServingEndpoint,
  useKey,
} from '../collections.ts';
import { variableOf } from '../query/simulated.ts';
import { SYNC_MODEL, syncModelId } from '../work.ts';

/** Entities that are served by a container of the jar's engine. */

/** Variables of an entity: the image, the port that it listens on, and the shell command. The real service does not have them. */
const IMAGE = 'CLOUDJAR_MODEL_IMAGE';
const PORT = 'CLOUDJAR_MODEL_PORT';
const COMMAND = 'CLOUDJAR_MODEL_COMMAND';

const USUAL_PORT = 8080;
const LAST_PORT = 65_535;

/** The image of an entity; undefined if it names none, or if no engine can run it. */
export function imageOf(
  { engine }: Pick<PlatformJar, 'engine'>,
  entity: Pick<ServedEntity, 'fields'>,
): string | undefined {
  const image = variableOf(entity, IMAGE);
  return engine.name === 'simulated' || image === '' ? undefined : image;
}

function portOf(entity: ServedEntity): number {
  const port = Number(variableOf(entity, PORT));
  return Number.isInteger(port) && port > 0 && port <= LAST_PORT ? port : USUAL_PORT;
}

/** Called in the transaction that starts an update: stores the containers of its entities, and schedules their start. */
export async function addContainers(
  tx: Tx,
  jar: PlatformJar,
  endpoint: ServingEndpoint,
  config: EndpointConfig,
): Promise<void> {
  const { accountId, workspaceId } = endpoint;
  for (const entity of config.entities) {
    const image = imageOf(jar, entity);
    if (image === undefined) continue;
    const acting = { accountId, workspaceId, runAs: entity.creator };
    const read = await readTaskVariables(tx, jar, acting, entity.fields.environment_vars);
    // The end of the update reports the problem with the variables.
    if (!isObject(read)) continue;
    const command = variableOf(entity, COMMAND);
    const key = useKey(endpoint, config, entity.name);
    await tx.put(modelContainers, key, {
      uid: uuid(),
      image,
      port: portOf(entity),
      endpoint: endpoint.name,
      version: config.version,
      ...(command !== undefined && { command }),
      sealed: jar.vault.seal(JSON.stringify(read.variables)),
      status: NO_STATUS,
    });
    await syncModelSoon(tx, jar, key);
  }
}

export const syncModelSoon = (tx: Tx, { clock }: Pick<PlatformJar, 'clock'>, key: string): Promise<void> =>
  tx.wake(SYNC_MODEL.at(clock.now(), { key }, syncModelId(key)));

/** Called in a transaction after which a configuration is no longer used: schedules the removal of its containers. */
export async function dropContainers(
  tx: Tx,
  jar: PlatformJar,
  endpoint: ServingEndpoint,
  config: EndpointConfig | undefined,
): Promise<void> {
  for (const entity of config?.entities ?? [])
    if (config && imageOf(jar, entity) !== undefined)
      await syncModelSoon(tx, jar, useKey(endpoint, config, entity.name));
}
