import { armFacts, type Resource, resourceView } from '../../../kernel/arm/index.ts';
import type { ContainerState, ContainerStatus, EventRecord } from '../../../kernel/engines/index.ts';
import type { Json } from '../../../kernel/store/index.ts';
import type { Runtime } from '../collections.ts';
import type { ContainersCall } from '../jar.ts';

type Shown = { readonly [key: string]: Json | undefined };

/** A group on the wire; how it runs is shown of a single one and not in lists. */
export function groupView(
  resource: Resource,
  prefix: string,
  full: boolean,
  runtime: Runtime | undefined,
  call: Pick<ContainersCall, 'facts'>,
): Record<string, unknown> {
  const view = resourceView(resource, prefix);
  const { containers, initContainers, ...rest } = resource.properties;
  const { provisioningState, state, status } = (full && runtime) || NOT_SHOWN;
  view.properties = {
    ...OF_EVERY_GROUP,
    ...rest,
    ...(provisioningState && { provisioningState }),
    containers: withInstanceViews(containers as Shown[], status?.containers, OF_EVERY_CONTAINER),
    initContainers: withInstanceViews(initContainers as Shown[], status?.init),
    ...(status && { instanceView: { events: status.events.map(eventView), state } }),
    // The oldest version has the state here, and no other does.
    ...(status && armFacts(call).view.shows('properties.state') && { state }),
  };
  return view;
}

const NOT_SHOWN: Partial<Runtime> = {};

/** Of a group that was not made from a pool, with the time that a deployment has unless it is given another. */
const OF_EVERY_GROUP = {
  provisioningTimeoutInSeconds: 1800,
  isCustomProvisioningTimeout: false,
  isCreatedFromStandbyPool: false,
} as const;

const OF_EVERY_CONTAINER: Shown = { configMap: { keyValuePairs: {} } };

function withInstanceViews(
  containers: readonly Shown[],
  statuses: readonly ContainerStatus[] = [],
  more?: Shown,
): readonly Shown[] {
  if (statuses.length === 0 && !more) return containers;
  return containers.map((container) => {
    const status = statuses.find(({ name }) => name === container.name);
    const instance = status && { instanceView: instanceView(status) };
    return { ...container, properties: { ...(container.properties as Shown), ...more, ...instance } as Json };
  });
}

const instanceView = ({ restartCount, current, previous, events }: ContainerStatus): Json => ({
  restartCount,
  currentState: stateView(current),
  ...(previous && { previousState: stateView(previous) }),
  events: events.map(eventView),
});

function stateView(state: ContainerState): Json {
  if (state.kind === 'Waiting') return { state: 'Waiting', detailStatus: state.reason };
  if (state.kind === 'Running') return { state: 'Running', startTime: time(state.startedAt), detailStatus: '' };
  return {
    state: 'Terminated',
    ...(state.startedAt !== undefined && { startTime: time(state.startedAt) }),
    exitCode: state.exitCode,
    finishTime: time(state.finishedAt),
    detailStatus: state.reason,
  };
}

export const eventView = ({ count, firstAt, lastAt, name, message, type }: EventRecord): Json => ({
  count,
  firstTimestamp: time(firstAt),
  lastTimestamp: time(lastAt),
  name,
  message,
  type,
});

const time = (at: number): string => new Date(at).toISOString();
