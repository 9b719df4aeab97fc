import { ok } from '../../../../kernel/http/index.ts';
import { findObject } from '../../engine/find.ts';
import { listObjects } from '../../engine/list.ts';
import { namesOf } from '../../engine/names.ts';
import type { PlatformObject } from '../../engine/objects.ts';
import { kindOperations } from '../../engine/wire.ts';
import { accountIn, type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { queryText } from '../clusters/request.ts';
import { machineMs } from '../timing.ts';
import { useOf } from './capacity.ts';
import { INSTANCE_POOLS } from './kind.ts';
import { waitingIn } from './returns.ts';

const PATH = '/instance-pools';
const EVERYTHING = { usual: 100_000, most: 100_000 };

/**
 * A pool with its machines. Idle machines are the configured minimum, which the cloud provides initially, or as many as clusters have
 * returned.
 */
async function poolView(call: PlatformCall, pool: PlatformObject): Promise<object> {
  const { id, scope, fields, createdBy, createdAt } = pool;
  const { store, clock } = call.jar;
  const { used, pending } = await useOf(store, scope, id);
  const { nameOf } = await namesOf(store, accountIn(call).id, [createdBy]);
  const room = typeof fields.max_capacity === 'number' ? Math.max(0, fields.max_capacity - used - pending) : Infinity;
  const ready = Math.min(Number(fields.min_idle_instances ?? 0), room);
  const isNew = clock.now() < createdAt + machineMs(call.jar, 'start');
  const waiting = Math.min(await waitingIn(store, pool, clock.now()), room);
  return {
    instance_pool_id: id,
    ...fields,
    state: 'ACTIVE',
    stats: {
      used_count: used,
      idle_count: isNew ? waiting : Math.max(ready, waiting),
      pending_used_count: pending,
      pending_idle_count: isNew ? Math.max(0, ready - waiting) : 0,
    },
    status: { pending_instance_errors: [] },
    default_tags: {
      Vendor: 'Databricks',
      DatabricksInstancePoolCreatorId: createdBy,
      DatabricksInstancePoolCreator: nameOf(createdBy),
      DatabricksInstancePoolId: id,
    },
  };
}

export const POOL_OPERATIONS: readonly Operation[] = [
  ...kindOperations(INSTANCE_POOLS, {
    of: 'Instance pools',
    operations: 'instancePools',
    create: { method: 'POST', path: `${PATH}/create`, answers: 'id' },
    update: { method: 'POST', path: `${PATH}/edit`, id: 'body', replaces: true, answers: 'nothing' },
    remove: { method: 'POST', path: `${PATH}/delete`, id: 'body' },
  }),
  {
    method: 'GET',
    path: `${PATH}/get`,
    operation: 'instancePools_get',
    summary: 'Instance pools: read one',
    code: routeCode([], {
      async handle(call) {
        const pool = await findObject(call, INSTANCE_POOLS, queryText(call, 'instance_pool_id'));
        return ok(await poolView(call, pool));
      },
    }),
  },
  {
    method: 'GET',
    path: `${PATH}/list`,
    operation: 'instancePools_list',
    summary: 'Instance pools: list them',
    code: routeCode([], {
      async handle(call) {
        const { items } = await listObjects(call, INSTANCE_POOLS, { sizes: EVERYTHING });
        const pools = [];
        for (const { value } of items) pools.push(await poolView(call, value));
        return ok({ instance_pools: pools });
      },
    }),
  },
];
