import type { CoreV1Event, V1ContainerState, V1ContainerStatus, V1Pod, V1Service } from '@kubernetes/client-node';
import { retryDelay } from '../backoff.ts';
import type { ContainerPlan, GroupPlan, ProbePlan } from '../plan.ts';
import type { ContainerState, ContainerStatus, GroupStatus, ProbeStatus, TerminatedState } from '../status.ts';
import { type CarriedCounts, readCarried } from './carried.ts';
import { containerOfEvent, mergeEvents } from './event-records.ts';
import { generationOf } from './names.ts';
import { ended, firstReason, KILLED_EXIT_CODE } from './status-changes.ts';

/** Waiting reasons that last until a problem is fixed or until the next attempt. */
const RETRIED: ReadonlySet<string> = new Set([
  'CrashLoopBackOff',
  'ImagePullBackOff',
  'ErrImagePull',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
  'RegistryUnavailable',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'Unschedulable',
]);

export interface Observed {
  readonly pod: V1Pod;
  readonly service: V1Service | undefined;
  readonly events: readonly CoreV1Event[];
}

export interface Times {
  /** Time of the jar's clock. */
  readonly now: number;
  /** System time at the same moment, which the cluster uses. */
  readonly wall: number;
}

/** Derives the status of a group from its Pod. Times that are known already stay, however far the jar's clock has moved since. */
export function statusOf(before: GroupStatus, plan: GroupPlan, observed: Observed, times: Times): GroupStatus {
  const { pod, service } = observed;
  // Objects from a watch have times as strings, and null for unknown times.
  const at = (time: Date | string | null | undefined): number =>
    time === undefined || time === null
      ? times.now
      : Math.min(times.now, new Date(time).getTime() + times.now - times.wall);
  const carried = readCarried(pod);
  const reported = observed.events.filter(({ involvedObject }) => involvedObject.uid === pod.metadata?.uid);
  const own = new Set([...plan.init, ...plan.containers].map(({ name }) => name));
  const isOver = pod.status?.phase === 'Failed' && plan.restartPolicy === 'Never';
  const waitsFor = unscheduled(pod) ? 'Unschedulable' : undefined;

  const each = (
    container: ContainerPlan,
    known: readonly ContainerStatus[],
    seen: readonly V1ContainerStatus[] | undefined,
    reason: string,
  ): ContainerStatus => {
    const { name } = container;
    const before = known.find((it) => it.name === name) ?? blank(name);
    const mapped = containerStatus({
      known: before,
      seen: seen?.find((it) => it.name === name),
      carried: carried(name),
      reason: waitsFor ?? reason,
      at,
      now: times.now,
    });
    const current = isOver ? gone(pod, mapped.current, before.current, times.now) : mapped.current;
    const events = mergeEvents(mapped.events, reportedOf(reported, name), carried(name), at);
    const readiness = container.readiness && readinessOf(container.readiness, mapped, seen, reported);
    return { ...mapped, current, events, ...(readiness && { readiness }) };
  };

  const { ip: _former, ...rest } = before;
  const ip = plan.network.address === 'Public' ? addressOf(service) : pod.status?.podIP;
  return {
    ...rest,
    generation: generationOf(pod),
    sandbox: isUp(pod) ? 'ready' : before.sandbox === 'lost' ? 'lost' : 'absent',
    ...(ip !== undefined && { ip }),
    init: plan.init.map((it) => each(it, before.init, pod.status?.initContainerStatuses, 'ContainerCreating')),
    containers: plan.containers.map((it) =>
      each(it, before.containers, pod.status?.containerStatuses, firstReason(plan)),
    ),
    events: mergeEvents(before.events, groupReports(reported, own), carried(''), at),
  };
}

/** An evicted Pod no longer reports the states of its containers. */
function gone({ status }: V1Pod, current: ContainerState, before: ContainerState, now: number): ContainerState {
  if (current.kind === 'Terminated') return current;
  if (before.kind === 'Terminated') return before;
  const startedAt = before.kind === 'Running' ? before.startedAt : undefined;
  return {
    kind: 'Terminated',
    ...(startedAt !== undefined && { startedAt }),
    finishedAt: now,
    exitCode: KILLED_EXIT_CODE,
    reason: status?.reason || 'Error',
  };
}

const blank = (name: string): ContainerStatus => ({
  name,
  run: 0,
  current: { kind: 'Waiting', reason: 'ContainerCreating' },
  restartCount: 0,
  failures: 0,
  events: [],
});

interface Mapping {
  readonly known: ContainerStatus;
  readonly seen: V1ContainerStatus | undefined;
  readonly carried: CarriedCounts;
  /** Waiting reason if the Pod reports none. */
  readonly reason: string;
  at(time: Date | undefined): number;
  readonly now: number;
}

function containerStatus(mapping: Mapping): ContainerStatus {
  const { known, seen, carried, reason, at, now } = mapping;
  const {
    retryAt: _over,
    starting: _told,
    engineId: _former,
    readiness: _unknown,
    previous: _earlier,
    ...rest
  } = known;
  const restarts = seen?.restartCount ?? 0;
  const hasRun = seen?.state?.running ?? seen?.state?.terminated ?? seen?.lastState?.terminated;
  const run = carried.runs + restarts + (hasRun ? 1 : 0);
  const same = run === known.run;
  const current = stateOf(seen?.state, reason, same ? known.current : undefined, at);
  const previous = previousOf(mapping, run, current);
  const retried = current.kind === 'Waiting' && RETRIED.has(current.reason);
  const failures = retried ? Math.max(known.failures, restarts, 1) : 0;
  return {
    ...rest,
    run,
    ...(seen?.containerID && { engineId: seen.containerID }),
    current,
    ...(previous && { previous }),
    restartCount: carried.restarts + restarts,
    failures,
    ...(retried && {
      retryAt: same && known.retryAt && known.retryAt > now ? known.retryAt : now + retryDelay(failures),
    }),
  };
}

function stateOf(
  state: V1ContainerState | undefined,
  reason: string,
  known: ContainerState | undefined,
  at: Mapping['at'],
): ContainerState {
  if (state?.running) {
    return known?.kind === 'Running' ? known : { kind: 'Running', startedAt: at(state.running.startedAt) };
  }
  if (state?.terminated) return known?.kind === 'Terminated' ? known : terminated(state, known, at)!;
  return { kind: 'Waiting', reason: state?.waiting?.reason ?? reason };
}

function terminated(
  state: V1ContainerState | undefined,
  known: ContainerState | undefined,
  at: Mapping['at'],
): TerminatedState | undefined {
  if (!state?.terminated) return undefined;
  const { startedAt, finishedAt, exitCode, reason } = state.terminated;
  const began = known?.kind === 'Running' ? known.startedAt : startedAt ? at(startedAt) : undefined;
  return {
    kind: 'Terminated',
    ...(began !== undefined && { startedAt: began }),
    finishedAt: Math.max(at(finishedAt), began ?? 0),
    exitCode,
    reason: reason ?? (exitCode === 0 ? 'Completed' : 'Error'),
  };
}

/** End of the previous run: the known state, corrected by the Pod's report. */
function previousOf(
  { known, seen, at, now }: Mapping,
  run: number,
  current: ContainerState,
): ContainerStatus['previous'] {
  const candidate = formerRun(known, run, current);
  const last = terminated(seen?.lastState, candidate, at);
  if (last) return candidate?.kind === 'Terminated' && candidate.exitCode === last.exitCode ? candidate : last;
  return candidate && ended(candidate, now);
}

function formerRun(known: ContainerStatus, run: number, current: ContainerState): ContainerStatus['previous'] {
  if (run > known.run + 1) return undefined;
  // The known run has ended if a later run exists or the container waits for its restart.
  const isOver = known.current.kind !== 'Waiting' && (run > known.run || current.kind === 'Waiting');
  return isOver ? (known.current as ContainerStatus['previous']) : known.previous;
}

/** A Pod reports whether a container is ready, but not how often its probe failed. */
function readinessOf(
  probe: ProbePlan,
  { name, current, readiness }: ContainerStatus,
  seen: readonly V1ContainerStatus[] | undefined,
  reported: readonly CoreV1Event[],
): ProbeStatus | undefined {
  if (current.kind !== 'Running') return undefined;
  const passing = seen?.find((it) => it.name === name)?.ready ?? false;
  const failed = reportedOf(reported, name).filter(
    ({ reason, message }) => reason === 'Unhealthy' && message?.startsWith('Readiness'),
  );
  const failures = passing ? 0 : failed.reduce((sum, { count }) => sum + (count ?? 1), 0);
  return { dueAt: readiness?.dueAt ?? 0, failures, successes: passing ? probe.successThreshold : 0, passing };
}

const reportedOf = (reported: readonly CoreV1Event[], name: string): CoreV1Event[] =>
  reported.filter((event) => containerOfEvent(event) === name);

/** Events of the Pod itself, and warnings of the jar's containers that fill volumes; the latter become `FailedMount`. */
function groupReports(reported: readonly CoreV1Event[], own: ReadonlySet<string>): CoreV1Event[] {
  return reported.flatMap((event) => {
    const container = containerOfEvent(event);
    if (container === '') return [event];
    if (own.has(container) || event.type !== 'Warning') return [];
    return [{ ...event, reason: 'FailedMount' }];
  });
}

function isUp({ status }: V1Pod): boolean {
  if (status?.podIP) return true;
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return all.some(({ state }) => state?.running || state?.terminated);
}

const unscheduled = ({ status }: V1Pod): boolean =>
  status?.conditions?.some(
    ({ type, status, reason }) => type === 'PodScheduled' && status === 'False' && reason === 'Unschedulable',
  ) ?? false;

/** Some load balancers have a host name instead of an IP address. */
function addressOf(service: V1Service | undefined): string | undefined {
  const [first] = service?.status?.loadBalancer?.ingress ?? [];
  return first?.ip ?? first?.hostname;
}
