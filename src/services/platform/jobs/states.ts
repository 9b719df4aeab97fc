import { omitAbsent } from '../../../kernel/values/index.ts';
import type { Ending, Outcome, QueueReason, RunState } from './run.ts';

/** States on the wire: `state` of the older API and `status` of the newer API, both from one table. */

/** `life_cycle_state` until a run or task has ended. */
const LIFE_CYCLES: Readonly<Record<Exclude<RunState, 'TERMINATED'>, string>> = {
  BLOCKED: 'BLOCKED',
  QUEUED: 'QUEUED',
  PENDING: 'PENDING',
  RUNNING: 'RUNNING',
  WAITING: 'WAITING_FOR_RETRY',
  TERMINATING: 'TERMINATING',
};

interface EndingRow {
  /** `termination_details.code` and `.type`. */
  readonly code: string;
  readonly type: 'SUCCESS' | 'CLIENT_ERROR' | 'INTERNAL_ERROR';
  readonly lifeCycle: 'TERMINATED' | 'SKIPPED' | 'INTERNAL_ERROR';
  /** `result_state`; absent for a run that was only skipped. */
  readonly result?: string;
}

/** The published codes have no code for a time-out, an excluded task or a failure upstream; the closest codes are used. */
const ENDINGS: Readonly<Record<Outcome, EndingRow>> = {
  SUCCESS: { code: 'SUCCESS', type: 'SUCCESS', lifeCycle: 'TERMINATED', result: 'SUCCESS' },
  SUCCESS_WITH_FAILURES: {
    code: 'SUCCESS_WITH_FAILURES',
    type: 'SUCCESS',
    lifeCycle: 'TERMINATED',
    result: 'SUCCESS_WITH_FAILURES',
  },
  FAILED: { code: 'RUN_EXECUTION_ERROR', type: 'CLIENT_ERROR', lifeCycle: 'TERMINATED', result: 'FAILED' },
  TIMEDOUT: { code: 'RUN_EXECUTION_ERROR', type: 'CLIENT_ERROR', lifeCycle: 'TERMINATED', result: 'TIMEDOUT' },
  CANCELED: { code: 'USER_CANCELED', type: 'SUCCESS', lifeCycle: 'TERMINATED', result: 'CANCELED' },
  UPSTREAM_FAILED: { code: 'SKIPPED', type: 'CLIENT_ERROR', lifeCycle: 'TERMINATED', result: 'UPSTREAM_FAILED' },
  UPSTREAM_CANCELED: { code: 'CANCELED', type: 'SUCCESS', lifeCycle: 'TERMINATED', result: 'UPSTREAM_CANCELED' },
  EXCLUDED: { code: 'SKIPPED', type: 'SUCCESS', lifeCycle: 'SKIPPED', result: 'EXCLUDED' },
  DISABLED: { code: 'DISABLED', type: 'SUCCESS', lifeCycle: 'SKIPPED', result: 'DISABLED' },
  SKIPPED: { code: 'SKIPPED', type: 'SUCCESS', lifeCycle: 'SKIPPED' },
  MAX_CONCURRENT_RUNS: {
    code: 'MAX_CONCURRENT_RUNS_EXCEEDED',
    type: 'CLIENT_ERROR',
    lifeCycle: 'SKIPPED',
    result: 'MAXIMUM_CONCURRENT_RUNS_REACHED',
  },
  WORKSPACE_RUN_LIMIT: {
    code: 'WORKSPACE_RUN_LIMIT_EXCEEDED',
    type: 'CLIENT_ERROR',
    lifeCycle: 'INTERNAL_ERROR',
    result: 'FAILED',
  },
  UNAUTHORIZED: { code: 'UNAUTHORIZED_ERROR', type: 'CLIENT_ERROR', lifeCycle: 'INTERNAL_ERROR', result: 'FAILED' },
  INTERNAL_ERROR: { code: 'INTERNAL_ERROR', type: 'INTERNAL_ERROR', lifeCycle: 'INTERNAL_ERROR', result: 'FAILED' },
};

const QUEUE_MESSAGES: Readonly<Record<QueueReason, string>> = {
  MAX_CONCURRENT_RUNS_REACHED: 'Queued because the maximum number of concurrent runs of the job has been reached.',
  ACTIVE_RUNS_LIMIT_REACHED: 'Queued because the maximum number of active tasks in the workspace has been reached.',
};

/** The fields of a run or task run that determine its state. */
export interface StateFields {
  readonly state: RunState;
  readonly ending?: Ending | undefined;
  readonly queueReason?: QueueReason | undefined;
}

const rowOf = (ending: Ending | undefined): EndingRow => ENDINGS[ending?.outcome ?? 'INTERNAL_ERROR'];

/** `state`, the form of versions up to 2.1, which version 2.2 still returns. */
export function oldState({ state, ending, queueReason }: StateFields) {
  if (state !== 'TERMINATED')
    return omitAbsent({
      life_cycle_state: LIFE_CYCLES[state],
      state_message: '',
      user_cancelled_or_timedout: false,
      queue_reason: queueReason && QUEUE_MESSAGES[queueReason],
    });
  const { lifeCycle, result } = rowOf(ending);
  return omitAbsent({
    life_cycle_state: lifeCycle,
    result_state: result,
    state_message: ending?.message ?? '',
    user_cancelled_or_timedout: ending?.outcome === 'CANCELED' || ending?.outcome === 'TIMEDOUT',
  });
}

/** `status`. */
export function newStatus({ state, ending, queueReason }: StateFields) {
  if (state !== 'TERMINATED')
    return omitAbsent({
      state,
      queue_details: queueReason && { code: queueReason, message: QUEUE_MESSAGES[queueReason] },
    });
  const { code, type } = rowOf(ending);
  const details = ending?.code === undefined ? { code, type } : { code: ending.code, type: 'CLIENT_ERROR' };
  return { state, termination_details: { ...details, message: ending?.message ?? '' } };
}

/** `result_state` of an ended run or task, for `{{tasks.<key>.result_state}}` and messages. */
export const resultOf = (ending: Ending): string => rowOf(ending).result ?? 'SKIPPED';

/** `{{tasks.<key>.error_code}}`, such as `RunExecutionError`; empty if nothing went wrong. */
export function errorCodeOf(ending: Ending): string {
  const { code, type } = rowOf(ending);
  if (type === 'SUCCESS' && ending.code === undefined) return '';
  const words = (ending.code ?? code).toLowerCase().split('_');
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

/** Returns true if the run or task itself failed: it neither succeeded nor was cancelled or skipped. */
export const isFailure = ({ outcome }: Ending): boolean => {
  const { type, lifeCycle, result } = ENDINGS[outcome];
  return lifeCycle === 'INTERNAL_ERROR' || (type !== 'SUCCESS' && result !== 'MAXIMUM_CONCURRENT_RUNS_REACHED');
};

export const isSkip = ({ outcome }: Ending): boolean => ENDINGS[outcome].lifeCycle === 'SKIPPED';
