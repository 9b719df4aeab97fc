import {
  beginOperation,
  endOperation,
  idOf,
  operationHeaders,
  originOf,
  recordOutcome,
  releaseResourceQuota,
  resources,
} from '../../../kernel/arm/index.ts';
import { type Answer, noContent } from '../../../kernel/http/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { STANDBY_POOL_HEAD } from '../api/types.ts';
import { STANDBY_POOLS } from '../api/versions.ts';
import { armCode, type ContainersJar } from '../jar.ts';
import { forgetPool } from './forget.ts';
import { DELETE_POOL } from './work.ts';

/** Answers 202; due work then deletes the pool and its instances. */
export const deletePool = armCode(['subscriptionId', 'resourceGroupName', 'resourceName'], {
  async handle(call, arm): Promise<Answer> {
    const { store, clock } = call.jar;
    const id = idOf(STANDBY_POOL_HEAD, call.params, arm);
    const key = id.toLowerCase();
    const operation = await store.transact(async (tx) => {
      const pool = (await tx.get(resources, key))?.value;
      if (!pool) return undefined;
      const { subscriptionId, location = '' } = pool;
      const about = { subscriptionId, location, namespace: STANDBY_POOLS, retryAfter: false } as const;
      const origin = originOf(call);
      const begun = await beginOperation(tx, { ...about, origin }, clock.now());
      const properties = { ...pool.properties, provisioningState: 'Deleting' };
      await tx.put(resources, key, { ...pool, properties });
      await tx.schedule(DELETE_POOL.at(clock.now(), { key, operation: begun.id, origin }));
      return begun;
    });
    if (!operation) return noContent();
    arm.recorded = true;
    return { status: 202, body: null, headers: operationHeaders(call, operation, 'both', { retryAfter: false }) };
  },
});

export const finishPoolDeletion = workHandler(DELETE_POOL, (item, jar: ContainersJar) =>
  jar.store.transact(async (tx) => {
    const { key, operation, origin } = item.payload;
    const pool = (await tx.get(resources, key))?.value;
    if (pool) {
      await forgetPool(tx, pool);
      await tx.delete(resources, key);
      await releaseResourceQuota(tx, jar, [pool]);
    }
    const now = jar.clock.now();
    await endOperation(tx, operation, { status: 'Succeeded' }, now);
    await recordOutcome(tx, origin, now, 'Succeeded');
    await tx.complete(item);
  }),
);
