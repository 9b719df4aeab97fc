import type { RestartPolicy } from './plan.ts';
import type { ContainerStatus } from './status.ts';

export const hasStarted = ({ current }: ContainerStatus): boolean =>
  current.kind !== 'Waiting' || current.reason === 'CrashLoopBackOff';

/** Whether the restart policy leaves the container terminated. Init containers run until they succeed, unless the policy is Never. */
export function endedForGood({ current }: ContainerStatus, policy: RestartPolicy): boolean {
  if (current.kind !== 'Terminated') return false;
  return policy === 'Never' || (policy === 'OnFailure' && current.exitCode === 0);
}

export const endedWell = ({ current }: ContainerStatus): boolean => exitCodeOf(current) === 0;

export const failedInit = (init: readonly ContainerStatus[], policy: RestartPolicy): boolean =>
  policy === 'Never' && init.some(({ current }) => (exitCodeOf(current) ?? 0) !== 0);

export const exitCodeOf = (current: ContainerStatus['current']): number | undefined =>
  current.kind === 'Terminated' ? current.exitCode : undefined;
