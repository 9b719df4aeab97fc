import { type Resource, resourceView } from '../../../kernel/arm/index.ts';
import type { ContainerState, ContainerStatus, EventRecord } from '../../../kernel/engines/index.ts';
import type { Json } from '../../../kernel/store/index.ts';
import type { Runtime } from '../collections.ts';

type Shown = { readonly [key: string]: Json | undefined };

/** A group on the wire; how it runs is shown of a single one and not in lists. */
export function groupView(
  resource: Resource,
  prefix: string,
  full: boolean,
  runtime: Runtime | undefined,
): Record<string, unknown> {
  const view = resourceView(resource, prefix);
  if (!full || !runtime) return view;
  const { provisioningState, state, status } = runtime;
  const { containers, initContainers, ...rest } = resource.properties;
  view.properties = {
    ...rest,
    provisioningState,
    containers: withInstanceViews(containers as Shown[], status.containers),
    initContainers: withInstanceViews(initContainers as Shown[], status.init),
    instanceView: { events: status.events.map(eventView), state },
  };
  return view;
}

function withInstanceViews(containers: readonly Shown[], statuses: readonly ContainerStatus[]): Shown[] {
  return containers.map((container) => {
    const status = statuses.find(({ name }) => name === container.name);
    if (!status) return container;
    return { ...container, properties: { ...(container.properties as Shown), instanceView: instanceView(status) } };
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
