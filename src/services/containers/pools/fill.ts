import { type Resource, resources } from '../../../kernel/arm/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { readAll, type Stored, type Tx } from '../../../kernel/store/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { instancesOf, type PoolInstance, poolInstances } from './collections.ts';
import { FILL_POOL, fillAt } from './work.ts';

/** Time until a new instance is ready; by the jar's clock. */
export const INSTANCE_START_MS = 5000;

export const fillPool = workHandler(FILL_POOL, (item, jar: Jar) =>
  jar.store.transact(async (tx) => {
    const { key } = item.payload;
    const pool = (await tx.get(resources, key))?.value;
    await tx.complete(item);
    if (pool && !isDeleting(pool)) await fill(tx, jar, key, pool.properties);
  }),
);

export const isDeleting = ({ properties }: Pick<Resource, 'properties'>): boolean =>
  properties.provisioningState === 'Deleting';

type Sized = Pick<Resource, 'properties'>['properties'];

/** Marks due instances as ready, adds missing ones and removes surplus ones; schedules itself for the next instance that becomes ready. */
export async function fill(tx: Tx, jar: Pick<Jar, 'clock'>, key: string, properties: Sized): Promise<void> {
  const now = jar.clock.now();
  const { maxReadyCapacity = 0 } = (properties.elasticityProfile ?? {}) as { readonly maxReadyCapacity?: number };
  const zones = (properties.zones ?? []) as readonly string[];
  const known = await readAll(tx, poolInstances, { prefix: instancesOf(key) });
  const stays = ({ value }: Stored<PoolInstance>): boolean => value.zone === undefined || zones.includes(value.zone);
  const kept = known.filter(stays).sort(readyFirst).slice(0, maxReadyCapacity);
  for (const each of known) if (!kept.includes(each)) await tx.delete(poolInstances, each.key);
  for (const { key: id, value } of kept) {
    if (value.state === 'Creating' && value.readyAt <= now)
      await tx.put(poolInstances, id, { ...value, state: 'Running' });
  }
  const added = Array.from({ length: maxReadyCapacity - kept.length }, (_, index): [string, PoolInstance] => {
    const zone = zones[(kept.length + index) % Math.max(1, zones.length)];
    const instance: PoolInstance = { state: 'Creating', readyAt: now + INSTANCE_START_MS, ...(zone && { zone }) };
    return [`${instancesOf(key)}${uuid()}`, instance];
  });
  if (added.length > 0) await tx.putAll(poolInstances, added);
  const waiting = [...kept.map(({ value }) => value), ...added.map(([, value]) => value)];
  const next = Math.min(...waiting.flatMap(({ readyAt }) => (readyAt > now ? [readyAt] : [])));
  if (Number.isFinite(next)) await tx.schedule(fillAt(next, key));
}

const readyFirst = (one: Stored<PoolInstance>, other: Stored<PoolInstance>): number =>
  one.value.readyAt - other.value.readyAt;
