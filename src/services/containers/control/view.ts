import { type Static, Type } from 'typebox';
import type { Resource } from '../../../kernel/arm/index.ts';
import type { ContainerStatus, EventRecord, ProbeStatus } from '../../../kernel/engines/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import type { History, Runtime, StateRecord } from '../collections.ts';

const Optional = Type.Optional;
const Count = Type.Integer();
const Time = Type.String();

const OF_GROUP = {
  uid: Type.String(),
  id: Type.String(),
  name: Type.String(),
  subscriptionId: Type.String(),
  resourceGroup: Type.String(),
  location: Optional(Type.String()),
  osType: Type.String(),
  restartPolicy: Type.String(),
  engine: Type.String(),
  /** `instanceView.state` of the group. */
  state: Type.String(),
  provisioningState: Type.String(),
  /** Why a container does not start, or what is wrong with the group. */
  trouble: Optional(Type.String()),
  ip: Optional(Type.String()),
  fqdn: Optional(Type.String()),
  images: Type.Array(Type.String()),
  containers: Count,
  running: Count,
  restarts: Count,
  createdAt: Optional(Time),
};

export const GroupView = Type.Object(OF_GROUP);

const State = Type.Object({
  state: Type.Enum(['Waiting', 'Running', 'Terminated']),
  at: Optional(Time),
  reason: Optional(Type.String()),
  exitCode: Optional(Count),
});

const Probe = Type.Object({
  passing: Type.Boolean(),
  /** Consecutive failures and successes. */
  failures: Count,
  successes: Count,
  dueAt: Time,
});

const Event = Type.Object({
  name: Type.String(),
  type: Type.Enum(['Normal', 'Warning']),
  message: Type.String(),
  count: Count,
  firstAt: Time,
  lastAt: Time,
});

const ContainerView = Type.Object({
  name: Type.String(),
  isInit: Type.Boolean(),
  run: Count,
  restarts: Count,
  current: State,
  previous: Optional(State),
  retryAt: Optional(Time),
  liveness: Optional(Probe),
  readiness: Optional(Probe),
  events: Type.Array(Event),
});

export const FullGroupView = Type.Object({
  ...OF_GROUP,
  wanted: Type.Enum(['Running', 'Stopped']),
  /** What is in progress: a deployment, a stop or a restart. */
  transition: Optional(Type.Object({ kind: Type.String(), startedAt: Time })),
  containerStates: Type.Array(ContainerView),
  events: Type.Array(Event),
  /** The newest states of the containers, oldest first. */
  history: Type.Array(
    Type.Object({
      container: Type.String(),
      at: Time,
      state: Type.String(),
      run: Count,
      reason: Optional(Type.String()),
      exitCode: Optional(Count),
    }),
  ),
});

/** Properties of the resource that are shown; the body reader has checked their types. */
interface Shown {
  readonly osType?: string;
  readonly restartPolicy?: string;
  readonly containers?: readonly { readonly properties?: { readonly image?: string } }[];
  readonly ipAddress?: { readonly fqdn?: string };
}

export function groupView(runtime: Runtime, resource: Resource | undefined): Static<typeof GroupView> {
  const { uid, engine, state, provisioningState, status, resourceId } = runtime;
  const { osType = 'Linux', restartPolicy = 'Always', containers = [], ipAddress }: Shown = resource?.properties ?? {};
  const [, , subscriptionId = '', , resourceGroup = ''] = resourceId.split('/');
  const { location, createdAt } = resource ?? {};
  const all = [...status.init, ...status.containers];
  const trouble = troubleOf(runtime);
  return {
    uid,
    id: resourceId,
    name: resourceId.slice(resourceId.lastIndexOf('/') + 1),
    subscriptionId,
    resourceGroup,
    ...(location !== undefined && { location }),
    osType,
    restartPolicy,
    engine,
    state,
    provisioningState,
    ...(trouble !== undefined && { trouble }),
    ...(status.ip !== undefined && { ip: status.ip }),
    ...(ipAddress?.fqdn !== undefined && { fqdn: ipAddress.fqdn }),
    images: [...new Set(containers.map(({ properties }) => properties?.image ?? ''))].filter(Boolean),
    containers: containers.length,
    running: status.containers.filter(({ current }) => current.kind === 'Running').length,
    restarts: all.reduce((sum, { restartCount }) => sum + restartCount, 0),
    ...(createdAt !== undefined && { createdAt: isoTime(createdAt) }),
  };
}

const TROUBLED: ReadonlySet<string> = new Set(['Failed', 'Unhealthy', 'Repairing']);

function troubleOf({ status, state, provisioningState }: Runtime): string | undefined {
  const waiting = [...status.init, ...status.containers].find(({ retryAt }) => retryAt !== undefined)?.current;
  if (waiting?.kind === 'Waiting') return waiting.reason;
  return [provisioningState, state].find((each) => TROUBLED.has(each));
}

export function fullView(
  runtime: Runtime,
  resource: Resource | undefined,
  history: History | undefined,
): Static<typeof FullGroupView> {
  const { wanted, transition, status } = runtime;
  return {
    ...groupView(runtime, resource),
    wanted,
    ...(transition && { transition: { kind: transition.kind, startedAt: isoTime(transition.startedAt) } }),
    containerStates: [
      ...status.init.map((it) => containerView(it, true)),
      ...status.containers.map((it) => containerView(it, false)),
    ],
    events: status.events.map(eventView),
    history: (history?.records ?? []).map(recordView),
  };
}

function containerView(container: ContainerStatus, isInit: boolean): Static<typeof ContainerView> {
  const { name, run, restartCount, current, previous, retryAt, liveness, readiness, events } = container;
  return {
    name,
    isInit,
    run,
    restarts: restartCount,
    current: stateView(current),
    ...(previous && { previous: stateView(previous) }),
    ...(retryAt !== undefined && { retryAt: isoTime(retryAt) }),
    ...(liveness && { liveness: probeView(liveness) }),
    ...(readiness && { readiness: probeView(readiness) }),
    events: events.map(eventView),
  };
}

function stateView(state: ContainerStatus['current']): Static<typeof State> {
  switch (state.kind) {
    case 'Waiting':
      return { state: state.kind, reason: state.reason };
    case 'Running':
      return { state: state.kind, at: isoTime(state.startedAt) };
    case 'Terminated':
      return { state: state.kind, at: isoTime(state.finishedAt), reason: state.reason, exitCode: state.exitCode };
  }
}

const probeView = ({ passing, failures, successes, dueAt }: ProbeStatus): Static<typeof Probe> => ({
  passing,
  failures,
  successes,
  dueAt: isoTime(dueAt),
});

const eventView = ({ firstAt, lastAt, ...event }: EventRecord): Static<typeof Event> => ({
  ...event,
  firstAt: isoTime(firstAt),
  lastAt: isoTime(lastAt),
});

const recordView = ({ kind, at, ...record }: StateRecord) => ({ ...record, state: kind, at: isoTime(at) });
