import { endedForGood } from '../container-ends.ts';
import { EVENT_TEXT, note } from '../events.ts';
import type { ContainerPlan, GroupPlan } from '../plan.ts';
import {
  type ContainerState,
  type ContainerStatus,
  type GroupStatus,
  STOPPED_BY_USER,
  type TerminatedState,
} from '../status.ts';
import type { SyncRequest } from '../types.ts';

/** Exit code of a container that disappeared: that of a process killed by SIGKILL. */
export const KILLED_EXIT_CODE = 137;

/** Status of a group at the start of a deployment, before its Pod exists. */
export function statusAtStart(
  status: GroupStatus,
  { plan, keepSandbox }: Pick<SyncRequest, 'plan' | 'keepSandbox'>,
  now: number,
  generation: number,
): GroupStatus {
  const before = [...status.init, ...status.containers];
  const anew = ({ name }: ContainerPlan, reason: string): ContainerStatus => {
    const known = before.find((it) => it.name === name);
    const previous = known && (ended(known.current, now) ?? known.previous);
    return {
      name,
      run: known?.run ?? 0,
      current: { kind: 'Waiting', reason },
      ...(previous && { previous }),
      restartCount: keepSandbox ? (known?.restartCount ?? 0) : 0,
      failures: 0,
      events: known?.events ?? [],
    };
  };
  const { ip: _former, ...rest } = status;
  return {
    ...rest,
    ...(keepSandbox && status.ip !== undefined && { ip: status.ip }),
    generation,
    sandbox: 'absent',
    init: plan.init.map((it) => anew(it, 'ContainerCreating')),
    containers: plan.containers.map((it) => anew(it, firstReason(plan))),
  };
}

/** Waiting reason of a container before the Pod reports one. */
export const firstReason = ({ init }: GroupPlan): string => (init.length > 0 ? 'PodInitializing' : 'ContainerCreating');

/** Status after the Pod disappeared unexpectedly: its running containers have ended. */
export function statusAfterLoss(status: GroupStatus, plan: GroupPlan, why: string, now: number): GroupStatus {
  const anew = (each: ContainerStatus): ContainerStatus => {
    const { retryAt: _over, engineId: _gone, ...rest } = each;
    const previous = ended(each.current, now);
    return {
      ...rest,
      ...(previous && { previous }),
      restartCount: each.restartCount + (each.current.kind === 'Running' ? 1 : 0),
      current: { kind: 'Waiting', reason: firstReason(plan) },
    };
  };
  const { ip: _former, ...rest } = status;
  return {
    ...rest,
    sandbox: 'lost',
    init: status.init.map(anew),
    containers: status.containers.map(anew),
    events: note(status.events, 'SandboxChanged', why, now),
  };
}

/** End of a run whose container no longer exists. */
export function ended(current: ContainerState, now: number): TerminatedState | undefined {
  if (current.kind === 'Waiting') return undefined;
  if (current.kind === 'Terminated') return current;
  return {
    kind: 'Terminated',
    startedAt: current.startedAt,
    finishedAt: now,
    exitCode: KILLED_EXIT_CODE,
    reason: 'Error',
  };
}

/** Whether the restart policy leaves the whole group terminated. */
export function groupHasEnded({ containers, init }: GroupStatus, { restartPolicy }: GroupPlan): boolean {
  const failed = ({ current }: ContainerStatus): boolean => current.kind === 'Terminated' && current.exitCode !== 0;
  if (restartPolicy === 'Never' && init.some(failed)) return true;
  return containers.length > 0 && containers.every((it) => endedForGood(it, restartPolicy));
}

/** Marks containers that ended because the group was stopped. */
export function withStopReasons(before: GroupStatus, after: GroupStatus): GroupStatus {
  const marked = (list: readonly ContainerStatus[], each: ContainerStatus): ContainerStatus => {
    const known = list.find(({ name }) => name === each.name);
    if (known?.current.kind !== 'Running' || each.current.kind !== 'Terminated') return each;
    return { ...each, current: { ...each.current, reason: STOPPED_BY_USER }, previous: known.current };
  };
  return {
    ...after,
    init: after.init.map((each) => marked(before.init, each)),
    containers: after.containers.map((each) => marked(before.containers, each)),
  };
}

/** Status after the Pod was deleted on request. */
export function statusAfterStop(status: GroupStatus, generation: number, now: number): GroupStatus {
  const terminated = (each: ContainerStatus): ContainerStatus => {
    const { engineId: _gone, retryAt: _over, liveness: _live, readiness: _ready, ...rest } = each;
    const { current } = each;
    if (current.kind === 'Terminated') return rest;
    const running = current.kind === 'Running' ? current : undefined;
    return {
      ...rest,
      ...(running && { previous: running }),
      current: {
        kind: 'Terminated',
        ...(running && { startedAt: running.startedAt }),
        finishedAt: now,
        exitCode: running ? KILLED_EXIT_CODE : 0,
        reason: STOPPED_BY_USER,
      },
    };
  };
  const { ip: _former, ...rest } = status;
  return {
    ...rest,
    generation,
    sandbox: 'absent',
    init: status.init.map(terminated),
    containers: status.containers.map(terminated),
  };
}

/** Adds the `Killing` events before a Pod is deleted: the cluster's own events may arrive too late. */
export function withKillingEvents(status: GroupStatus, now: number): GroupStatus {
  const told = (each: ContainerStatus): ContainerStatus =>
    each.current.kind === 'Running'
      ? { ...each, events: note(each.events, 'Killing', EVENT_TEXT.ended(each.name, KILLED_EXIT_CODE), now) }
      : each;
  return { ...status, init: status.init.map(told), containers: status.containers.map(told) };
}
