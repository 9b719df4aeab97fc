import {
  type ContainerPlan,
  type ContainerStatus,
  endedForGood,
  exitCodeOf,
  failedInit,
  type GroupPlan,
  hasStarted,
  type RestartPolicy,
} from '../../../kernel/engines/index.ts';
import type { GroupState, ProvisioningState, Runtime } from '../collections.ts';

/**
 * Two fields, two state machines. A test compares the meanings of the states with the tables in docs/services/containers.md.
 */
export const PROVISIONING_STATES: Readonly<Record<ProvisioningState, string>> = {
  Pending: 'the deployment is accepted and the engine has not begun with it',
  Creating: 'the engine pulls images and starts containers, or waits for the next attempt to start a container',
  Updating: 'a running group is changed or restarted: its containers are replaced in place',
  Succeeded: 'every container has started, or the group has stopped',
  Failed:
    'not every container started, or stopped, within 30 minutes (the engine keeps trying), or an init container failed for good',
  Repairing: 'the engine lost the group, and the jar creates the group again',
  Unhealthy: 'a container runs and fails its readiness probe',
};

export const GROUP_STATES: Readonly<Record<GroupState, string>> = {
  Pending: 'nothing of the group exists in the engine',
  Created: 'the network and volumes exist, and no container has started; init containers may run',
  Running: 'a container runs, starts or waits for its restart',
  Stopped: 'a request stopped the group',
  Succeeded: 'policy Never or OnFailure: every container ended with exit code 0',
  Failed:
    'policy Never: every container ended, at least one with an exit code other than 0, or an init container failed',
};

/** A deployment or a stop fails after this time, though the engine keeps trying. */
export const DEPLOYMENT_DEADLINE_MS = 30 * 60_000;

export interface Derived {
  readonly provisioningState: ProvisioningState;
  readonly state: GroupState;
  /** Outcome of the running transition, if it has ended. */
  readonly ended?: 'Succeeded' | 'Failed';
}

/** Derives both states of a group from its target state and the status of its containers. */
export function derive(runtime: Runtime, plan: GroupPlan, now: number): Derived {
  if (runtime.wanted === 'Stopped') return deriveStopped(runtime, now);
  if (runtime.status.generation !== runtime.generation) return deriveLate(runtime, now);
  const { transition, status } = runtime;
  const state = stateOf(runtime, plan.restartPolicy);
  if (failedInit(status.init, plan.restartPolicy)) {
    return { state, provisioningState: 'Failed', ...(transition && { ended: 'Failed' }) };
  }
  const over = status.containers.every((it) => endedForGood(it, plan.restartPolicy));
  if (over || (status.sandbox === 'ready' && status.containers.every(hasStarted))) {
    const provisioningState = status.containers.some((it) => isUnready(it, plan)) ? 'Unhealthy' : 'Succeeded';
    return { state, provisioningState, ...(transition && { ended: 'Succeeded' }) };
  }
  if (transition) {
    const late = deriveLate(runtime, now);
    if (late.ended) return { ...late, state };
    return { state, provisioningState: transition.kind === 'create' || !runtime.keepSandbox ? 'Creating' : 'Updating' };
  }
  return { state, provisioningState: runtime.provisioningState === 'Failed' ? 'Failed' : 'Repairing' };
}

function deriveStopped(runtime: Runtime, now: number): Derived {
  const { status, transition } = runtime;
  const down = status.sandbox === 'absent' && status.containers.every(({ current }) => current.kind !== 'Running');
  if (!down) return deriveLate(runtime, now);
  return { provisioningState: 'Succeeded', state: 'Stopped', ...(transition && { ended: 'Succeeded' }) };
}

/** Unchanged, unless the deadline has passed. */
function deriveLate({ transition, provisioningState, state }: Runtime, now: number): Derived {
  if (!transition || now < transition.startedAt + DEPLOYMENT_DEADLINE_MS) return { provisioningState, state };
  return { provisioningState: 'Failed', state, ended: 'Failed' };
}

function stateOf({ status, state }: Runtime, policy: RestartPolicy): GroupState {
  const { containers, init, sandbox } = status;
  if (failedInit(init, policy)) return 'Failed';
  if (containers.length > 0 && containers.every((it) => endedForGood(it, policy))) {
    return containers.every(({ current }) => exitCodeOf(current) === 0) ? 'Succeeded' : 'Failed';
  }
  if (containers.some(hasStarted)) return 'Running';
  // A group that is restarted in place keeps its state until its containers run again.
  if (state === 'Running') return 'Running';
  return sandbox === 'ready' ? 'Created' : 'Pending';
}

function isUnready({ name, current, readiness }: ContainerStatus, { containers }: GroupPlan): boolean {
  const probe = containers.find((it: ContainerPlan) => it.name === name)?.readiness;
  if (!probe || !readiness || current.kind !== 'Running') return false;
  return !readiness.passing && readiness.failures >= probe.failureThreshold;
}
