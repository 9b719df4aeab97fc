import {
  type ArmFacts,
  gatewayErrors,
  groupPath,
  type Resource,
  resources,
  withPrefix,
} from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { readAll, readCached } from '../../../kernel/store/index.ts';
import { STANDBY_POOL_TYPE as TYPE } from '../api/versions.ts';
import { containerErrors } from '../errors.ts';
import { armCode, type ContainersCall } from '../jar.ts';
import { instancesOf, type PoolInstance, poolInstances } from './collections.ts';
import { isDeleting } from './fill.ts';

const PARAMS = ['resourceGroupName', 'standbyContainerGroupPoolName'] as const;

type PoolCall = ContainersCall<Readonly<Record<(typeof PARAMS)[number], string>>>;

/** A pool has one view, the latest. */
export const listRuntimeViews = armCode(PARAMS, {
  async handle(call, arm) {
    return ok({ value: [await runtimeView(call, arm)] });
  },
});

export const getRuntimeView = armCode([...PARAMS, 'runtimeView'], {
  async handle(call, arm) {
    const { runtimeView: name } = call.params;
    const view = await runtimeView(call, arm);
    if (name.toLowerCase() !== LATEST) throw containerErrors.RuntimeViewNotFound({ name: name.slice(0, 100) });
    return ok(view);
  },
});

const LATEST = 'latest';
const STATES = ['Creating', 'Running', 'Deleting'] as const;

async function runtimeView(call: PoolCall, arm: ArmFacts): Promise<Record<string, unknown>> {
  const pool = await poolOf(call, arm);
  const instances = await readAll(call.jar.store, poolInstances, { prefix: instancesOf(pool.id.toLowerCase()) });
  const zones = (pool.properties.zones ?? []) as readonly string[];
  const states = instances.map(({ value }) => (isDeleting(pool) ? { ...value, state: 'Deleting' as const } : value));
  const summary = (zones.length === 0 ? [undefined] : zones).map((zone) => ({
    ...(zone !== undefined && { zone }),
    instanceCountsByState: countsByState(states.filter((it) => it.zone === zone)),
  }));
  return {
    id: withPrefix(`${pool.id}/runtimeViews/${LATEST}`, arm.prefix),
    name: LATEST,
    type: withPrefix(`${TYPE}/runtimeViews`, arm.prefix).toLowerCase(),
    properties: {
      instanceCountSummary: summary,
      status: { code: 'HealthState/healthy' },
      provisioningState: pool.properties.provisioningState,
    },
  };
}

const countsByState = (instances: readonly PoolInstance[]) =>
  STATES.map((state) => ({ state, count: instances.filter((it) => it.state === state).length }));

async function poolOf({ params, jar }: PoolCall, arm: ArmFacts): Promise<Resource> {
  const name = params.standbyContainerGroupPoolName;
  const group = arm.group?.name ?? params.resourceGroupName;
  const id = `${groupPath(arm.subscription?.subscriptionId ?? '', group)}/providers/${TYPE}/${name}`;
  const stored = await readCached(jar.store, resources, id.toLowerCase());
  if (!stored) throw gatewayErrors.ResourceNotFound({ type: TYPE, name, group });
  return stored.value;
}
