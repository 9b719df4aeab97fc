import { type ArmFacts, gatewayErrors, groupPath, type Resource, resources } from '../../../kernel/arm/index.ts';
import type { ContainerState, ContainerStatus, ContainerTarget } from '../../../kernel/engines/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import { type Runtime, runtimes } from '../collections.ts';
import { containerErrors } from '../errors.ts';
import { refuseWhileTransitioning } from '../runtime/transitions.ts';
import { recentlyDeletedError } from './recently-deleted.ts';
import { CONTAINER_GROUP_TYPE as TYPE } from './versions.ts';

/** The path parameters that identify a container. */
export const CONTAINER_PARAMS = ['resourceGroupName', 'containerGroupName', 'containerName'] as const;

export interface ContainerParams {
  readonly resourceGroupName: string;
  readonly containerGroupName: string;
  readonly containerName: string;
}

/** One container of a group, init containers included. */
export interface FoundContainer {
  readonly key: string;
  readonly group: Resource;
  readonly runtime: Runtime;
  readonly name: string;
  /** Undefined until the engine has started working on the group. */
  readonly status: ContainerStatus | undefined;
}

/** Key of a group's resource and of its runtime. */
export const groupKey = (scope: string, name: string): string => `${scope}/providers/${TYPE}/${name}`.toLowerCase();

export async function findContainer(call: Call<ContainerParams>, arm: ArmFacts): Promise<FoundContainer> {
  const { resourceGroupName, containerGroupName, containerName } = call.params;
  const { store } = call.jar;
  const resourceGroup = arm.group?.name ?? resourceGroupName;
  const scope = groupPath(arm.subscription?.subscriptionId ?? '', resourceGroup);
  const key = groupKey(scope, containerGroupName);
  const [resource, runtime] = await Promise.all([readCached(store, resources, key), readCached(store, runtimes, key)]);
  if (!resource || !runtime) {
    throw (
      (await recentlyDeletedError(store, key, containerGroupName)) ??
      gatewayErrors.ResourceNotFound({ type: TYPE, name: containerGroupName, group: resourceGroup })
    );
  }
  const wanted = containerName.toLowerCase();
  const { containers, initContainers } = resource.value.properties;
  const name = [...namesIn(containers), ...namesIn(initContainers)].find((it) => it.toLowerCase() === wanted);
  if (name === undefined) {
    throw containerErrors.ContainerNotFound({ group: resource.value.name, container: containerName.slice(0, 100) });
  }
  return { key, group: resource.value, runtime: runtime.value, name, status: statusOf(runtime.value, name) };
}

const namesIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.map((it: { name?: unknown }) => String(it.name)) : [];

export const statusOf = ({ status }: Runtime, name: string): ContainerStatus | undefined =>
  [...status.containers, ...status.init].find((it) => it.name === name);

/** Throws 409 if the container is not running. */
export const runningTarget = (found: FoundContainer): ContainerTarget => targetIn(['Running'], found);

/** Accepts a terminated container too, because the real service creates sessions for it. */
export const startedTarget = (found: FoundContainer): ContainerTarget => targetIn(['Running', 'Terminated'], found);

function targetIn(
  kinds: readonly ContainerState['kind'][],
  { group, runtime, name, status }: FoundContainer,
): ContainerTarget {
  if (status?.engineId !== undefined && kinds.includes(status.current.kind)) {
    return { uid: runtime.uid, container: name, engineId: status.engineId };
  }
  refuseWhileTransitioning(group.name, runtime);
  throw containerErrors.ContainerNotRunning({ container: name });
}
