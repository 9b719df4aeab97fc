import { expect, it } from 'vitest';
import type { Outcome, RunState } from '../../../../../src/services/platform/jobs/run.ts';
import { newStatus, oldState } from '../../../../../src/services/platform/jobs/states.ts';

const ACTIVE: readonly (readonly [RunState, string])[] = [
  ['BLOCKED', 'BLOCKED'],
  ['QUEUED', 'QUEUED'],
  ['PENDING', 'PENDING'],
  ['RUNNING', 'RUNNING'],
  ['WAITING', 'WAITING_FOR_RETRY'],
  ['TERMINATING', 'TERMINATING'],
];

const ENDED: readonly (readonly [Outcome, string, string, string, string | undefined])[] = [
  ['SUCCESS', 'SUCCESS', 'SUCCESS', 'TERMINATED', 'SUCCESS'],
  ['SUCCESS_WITH_FAILURES', 'SUCCESS_WITH_FAILURES', 'SUCCESS', 'TERMINATED', 'SUCCESS_WITH_FAILURES'],
  ['FAILED', 'RUN_EXECUTION_ERROR', 'CLIENT_ERROR', 'TERMINATED', 'FAILED'],
  ['TIMEDOUT', 'RUN_EXECUTION_ERROR', 'CLIENT_ERROR', 'TERMINATED', 'TIMEDOUT'],
  ['CANCELED', 'USER_CANCELED', 'SUCCESS', 'TERMINATED', 'CANCELED'],
  ['SKIPPED', 'SKIPPED', 'SUCCESS', 'SKIPPED', undefined],
  ['MAX_CONCURRENT_RUNS', 'MAX_CONCURRENT_RUNS_EXCEEDED', 'CLIENT_ERROR', 'SKIPPED', 'MAXIMUM_CONCURRENT_RUNS_REACHED'],
  ['WORKSPACE_RUN_LIMIT', 'WORKSPACE_RUN_LIMIT_EXCEEDED', 'CLIENT_ERROR', 'INTERNAL_ERROR', 'FAILED'],
  ['INTERNAL_ERROR', 'INTERNAL_ERROR', 'INTERNAL_ERROR', 'INTERNAL_ERROR', 'FAILED'],
  ['DISABLED', 'DISABLED', 'SUCCESS', 'SKIPPED', 'DISABLED'],
];

it.each(ACTIVE)('%s is %s in the older form', (state, lifeCycle) => {
  expect(oldState({ state })).toEqual({
    life_cycle_state: lifeCycle,
    state_message: '',
    user_cancelled_or_timedout: false,
  });
  expect(newStatus({ state })).toEqual({ state });
});

it.each(ENDED)('an ended run that is %s is shown in both forms', (outcome, code, type, lifeCycle, result) => {
  const ended = { state: 'TERMINATED', ending: { outcome, message: 'why' } } as const;
  expect(newStatus(ended)).toEqual({ state: 'TERMINATED', termination_details: { code, type, message: 'why' } });
  expect(oldState(ended)).toEqual({
    life_cycle_state: lifeCycle,
    ...(result !== undefined && { result_state: result }),
    state_message: 'why',
    user_cancelled_or_timedout: outcome === 'CANCELED' || outcome === 'TIMEDOUT',
  });
});
