import { armFacts, type Resource, resourceView, type VersionView, withPrefix } from '../../../kernel/arm/index.ts';
import type { ContainerState, ContainerStatus, EventRecord, WaitingState } from '../../../kernel/engines/index.ts';
import type { Json } from '../../../kernel/store/index.ts';
import type { Runtime } from '../collections.ts';
import type { ContainersCall } from '../jar.ts';
import {
  addressInOrder,
  containerInOrder,
  GROUP_ORDER,
  identityInOrder,
  inOrder,
  PROPERTY_ORDER,
} from './member-order.ts';

type Shown = { readonly [key: string]: Json | undefined };

/** A group on the wire; how it runs is shown of a single one and not in lists. */
export function groupView(
  resource: Resource,
  prefix: string,
  full: boolean,
  runtime: Runtime | undefined,
  call: Pick<ContainersCall, 'facts' | 'method'>,
): Record<string, unknown> {
  const { properties: _, identity, ...head } = resourceView(resource, prefix);
  const { containers, initContainers, containerGroupProfile, ipAddress, imageRegistryCredentials, ...rest } =
    resource.properties;
  const { provisioningState, state, status } = (full && runtime) || NOT_SHOWN;
  const { view: version } = armFacts(call);
  // As the answer to a PUT that took the group from a pool has them; every other answer begins with the oldest.
  const newestFirst = rest.isCreatedFromStandbyPool === true && call.method === 'PUT';
  const shown: EventOptions = { version, newestFirst };
  const properties: Shown = {
    ...OF_EVERY_GROUP,
    ...rest,
    ...(provisioningState && { provisioningState }),
    containers: withInstanceViews(containers as Shown[], status?.containers, shown, OF_EVERY_CONTAINER),
    initContainers: withInstanceViews(initContainers as Shown[], status?.init, shown),
    ...(hasAddress(ipAddress, provisioningState ?? rest.provisioningState) && { ipAddress: addressInOrder(ipAddress) }),
    ...(imageRegistryCredentials !== undefined && {
      imageRegistryCredentials: (imageRegistryCredentials as Shown[]).map((each) => ({
        ...each,
        ...OF_EVERY_REGISTRY,
      })),
    }),
    ...(status && { instanceView: { events: eventViews(status.events, shown), state: state as Json } }),
    ...(containerGroupProfile !== undefined && {
      containerGroupProfile: shownProfile(containerGroupProfile, prefix),
    }),
    // The oldest version has the state here, and no other does.
    ...(status && version.shows('properties.state') && { state: state as Json }),
  };
  return inOrder(GROUP_ORDER, {
    ...head,
    ...(identity !== undefined && { identity: identityInOrder(identity) }),
    properties: inOrder(PROPERTY_ORDER, properties),
  });
}

/** A private address is not shown at all until the network has given one. */
function hasAddress(address: Json | undefined, provisioningState: Json | undefined): address is Json {
  if (address === undefined) return false;
  const { type, ip } = address as { readonly type?: string; readonly ip?: string };
  return type !== 'Private' || ip !== undefined || !BEFORE_ADDRESS.has(provisioningState);
}

const BEFORE_ADDRESS: ReadonlySet<Json | undefined> = new Set(['Pending', 'Creating']);

/** The profile that a group was made from, under the provider's name that the caller uses. */
function shownProfile(profile: Json, prefix: string): Json {
  const { id, ...rest } = profile as { readonly id?: string };
  return { ...(id !== undefined && { id: withPrefix(id, prefix) }), ...rest };
}

const NOT_SHOWN: Partial<Runtime> = {};

/** Of a group that was not made from a pool, with the time that a deployment has unless it is given another. */
const OF_EVERY_GROUP = {
  provisioningTimeoutInSeconds: 1800,
  isCustomProvisioningTimeout: false,
  isCreatedFromStandbyPool: false,
} as const;

const OF_EVERY_CONTAINER: Shown = { configMap: { keyValuePairs: {} } };
const OF_EVERY_REGISTRY = { isDelegatedIdentity: false } as const;

function withInstanceViews(
  containers: readonly Shown[],
  statuses: readonly ContainerStatus[] = [],
  shown: EventOptions,
  more?: Shown,
): readonly Json[] {
  return containers.map((container) => {
    const status = statuses.find(({ name }) => name === container.name);
    const instance = status && hasBegun(status) && { instanceView: instanceView(status, shown) };
    const properties = { ...more, ...(container.properties as Shown), ...instance };
    return { ...container, properties: containerInOrder(properties) };
  });
}

/** Before the first event there is nothing to tell of a container. */
const hasBegun = ({ events, current }: ContainerStatus): boolean => events.length > 0 || current.kind !== 'Waiting';

function instanceView(status: ContainerStatus, shown: EventOptions): Json {
  const { restartCount, current, previous, events } = status;
  return {
    restartCount,
    currentState: current.kind === 'Waiting' ? waitingView(status, current) : stateView(current),
    ...(previous && { previousState: stateView(previous) }),
    ...(events.length > 0 && { events: eventViews(events, shown) }),
  };
}

/** One that waits for its restart says for how long. */
function waitingView({ retryAt, previous }: ContainerStatus, { reason }: WaitingState): Json {
  const from = previous?.kind === 'Terminated' ? previous.finishedAt : undefined;
  if (reason !== BACK_OFF || retryAt === undefined || from === undefined)
    return { state: 'Waiting', detailStatus: reason };
  const seconds = Math.max(0, Math.round((retryAt - from) / 1000));
  return { state: 'Waiting', detailStatus: `${BACK_OFF}: Back-off ${seconds}s restarting failed` };
}

const BACK_OFF = 'CrashLoopBackOff';

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

/** A profile shows the config map of each container, as groups do. */
export const profileContainers = (containers: Json | undefined): Json => [
  ...withInstanceViews((containers ?? []) as Shown[], [], {}, OF_EVERY_CONTAINER),
];

export const profileInitContainers = (containers: Json): Json => [...withInstanceViews(containers as Shown[], [], {})];

interface EventOptions {
  /** Absent: recent versions. */
  readonly version?: VersionView;
  readonly newestFirst?: boolean;
}

const EVENT_NAME = 'properties.containers[].properties.instanceView.events[].name';

/** Recent versions tell nothing of the making of a container apart from its start. */
export function eventViews(
  events: readonly EventRecord[],
  { version, newestFirst = false }: EventOptions = {},
): Json[] {
  const knowsCreated = version?.knowsWord(EVENT_NAME, 'Created');
  const shown = events.filter(({ name }) => name !== 'Created' || knowsCreated).map(eventView);
  return newestFirst ? shown.reverse() : shown;
}

const eventView = ({ count, firstAt, lastAt, name, message, type }: EventRecord): Json => ({
  count,
  firstTimestamp: wholeSecond(firstAt),
  lastTimestamp: wholeSecond(lastAt),
  name,
  message,
  type,
});

/** With up to three decimals: `…34.78Z`, `…34Z`. */
const time = (at: number): string => new Date(at).toISOString().replace(/\.?0*Z$/, 'Z');

const wholeSecond = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
