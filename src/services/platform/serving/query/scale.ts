import { awaitCommit } from '../../../../kernel/store/index.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../kernel/time/index.ts';
import { machineMs } from '../../compute/timing.ts';
import { platformError } from '../../errors.ts';
import type { PlatformCall, PlatformJar } from '../../jar.ts';
import {
  type EndpointConfig,
  type EntityUse,
  entityUses,
  type ServedEntity,
  type ServingEndpoint,
  servingEndpoints,
  useKey,
} from '../collections.ts';
import { keyOf } from '../update.ts';
import { START_ENTITY, startEntityId } from '../work.ts';

/** An entity that may scale to zero has done so after this time without a query. Derived from the clock; no work is scheduled. */
const IDLE_MS = 30 * MINUTE_MS;
/** Precision of the stored time of last use. */
const NOTED_MS = MINUTE_MS;
/** Real time: clients time out after a minute. */
const LONGEST_WAIT_MS = 30 * SECOND_MS;

export const scalesToZero = ({ fields }: ServedEntity): boolean => fields.scale_to_zero_enabled === true;

const isIdle = ({ usedAt, isStarting }: EntityUse, now: number): boolean => !isStarting && now - usedAt >= IDLE_MS;

/** The names of entities that have scaled to zero. */
export async function entitiesAtZero(
  { store, clock }: Pick<PlatformJar, 'store' | 'clock'>,
  endpoint: ServingEndpoint,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const { config } = endpoint;
  for (const entity of config?.entities ?? []) {
    if (!config || !scalesToZero(entity)) continue;
    const use = (await store.cached(entityUses, useKey(endpoint, config, entity.name)))?.value;
    if (use && isIdle(use, clock.now())) found.add(entity.name);
  }
  return found;
}

/** Records that an entity is used. An entity that has scaled to zero starts, and the query waits for it by the jar's clock. */
export async function ensureUp(
  call: Pick<PlatformCall, 'jar' | 'signal'>,
  endpoint: ServingEndpoint,
  config: EndpointConfig,
  entity: ServedEntity,
): Promise<void> {
  if (!scalesToZero(entity)) return;
  const { jar } = call;
  const { store, clock } = jar;
  const key = useKey(endpoint, config, entity.name);
  const known = (await store.cached(entityUses, key))?.value;
  if (known && !known.isStarting && clock.now() - known.usedAt < NOTED_MS) return;
  if (!(await isStarting(jar, endpoint, key))) return;
  const waiting = { store, collection: entityUses, ms: LONGEST_WAIT_MS, signals: [jar.closing, call.signal] };
  const isUp = await awaitCommit(waiting, async () => !(await store.cached(entityUses, key))?.value.isStarting);
  if (isUp) return;
  const message = `The served entity ${entity.name} of the endpoint ${endpoint.name} had scaled to zero and is still starting.`;
  throw platformError(503, 'TEMPORARILY_UNAVAILABLE', message, [], { headers: { 'retry-after': '1' } });
}

/** Writes the time of use, and starts the entity if necessary. */
const isStarting = (jar: PlatformJar, endpoint: ServingEndpoint, key: string): Promise<boolean> =>
  jar.store.transact(async (tx) => {
    const current = (await tx.get(servingEndpoints, keyOf(endpoint), 'share'))?.value;
    if (current?.id !== endpoint.id) return false;
    const now = jar.clock.now();
    const use = (await tx.get(entityUses, key))?.value ?? { usedAt: now };
    if (use.isStarting) return true;
    if (!isIdle(use, now)) {
      await tx.put(entityUses, key, { usedAt: now });
      return false;
    }
    await tx.put(entityUses, key, { usedAt: now, isStarting: true });
    await tx.schedule(START_ENTITY.at(now + machineMs(jar, 'servingScaleUp'), { key }, startEntityId(key)));
    return true;
  });
