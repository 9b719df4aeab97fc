import type { TaskSettings } from '../job.ts';
import type { Outcome } from '../run.ts';
import type { TaskRun } from '../task-run.ts';

/** What the upstream tasks decide about a task: run it, end it without running, or wait. */
export type Readiness = { readonly is: 'wait' | 'run' } | { readonly is: 'end'; readonly outcome: Outcome };

const WAIT: Readiness = { is: 'wait' };
const RUN: Readiness = { is: 'run' };
const end = (outcome: Outcome): Readiness => ({ is: 'end', outcome });

type Upstream = Pick<TaskRun, 'key' | 'state' | 'ending' | 'conditionOutcome'>;

/** How an upstream task counts: an excluded task is neither a success nor a failure. */
type Counted = 'success' | 'failure' | 'canceled' | 'excluded';

const COUNTED: Readonly<Record<Outcome, Counted>> = {
  SUCCESS: 'success',
  SUCCESS_WITH_FAILURES: 'success',
  FAILED: 'failure',
  TIMEDOUT: 'failure',
  INTERNAL_ERROR: 'failure',
  MAX_CONCURRENT_RUNS: 'failure',
  WORKSPACE_RUN_LIMIT: 'failure',
  UNAUTHORIZED: 'failure',
  UPSTREAM_FAILED: 'failure',
  CANCELED: 'canceled',
  UPSTREAM_CANCELED: 'canceled',
  EXCLUDED: 'excluded',
  DISABLED: 'excluded',
  SKIPPED: 'excluded',
};

export const countedAs = (outcome: Outcome): Counted => COUNTED[outcome];

/** Decides whether a task may start, by its `run_if` and the endings of its upstream tasks. `upstream` has the newest attempt of each. */
export function readinessOf(
  { depends_on = [], run_if = 'ALL_SUCCESS', disabled }: TaskSettings,
  upstream: ReadonlyMap<string, Upstream>,
): Readiness {
  const before = depends_on.map(({ task_key, outcome }) => ({ task: upstream.get(task_key), outcome }));
  if (before.some(({ task }) => task !== undefined && task.state !== 'TERMINATED')) return WAIT;
  if (disabled) return end('DISABLED');
  // Tasks that a call excludes by `only` are ignored.
  const ended = before.flatMap(({ task, outcome }) =>
    task?.ending && task.ending.outcome !== 'SKIPPED' ? [{ task, ending: task.ending, outcome }] : [],
  );
  // The task is on the branch that the condition did not take: it is excluded.
  const isOtherBranch = ended.some(
    ({ task, ending, outcome }) =>
      outcome !== undefined && countedAs(ending.outcome) === 'success' && task.conditionOutcome !== outcome,
  );
  if (isOtherBranch) return end('EXCLUDED');
  const counts = ended.map(({ ending }) => countedAs(ending.outcome));
  const has = (kind: Counted): boolean => counts.includes(kind);
  if (counts.length === 0) return RUN;
  switch (run_if) {
    case 'ALL_DONE':
      return RUN;
    case 'ALL_SUCCESS':
      if (has('failure')) return end('UPSTREAM_FAILED');
      if (has('canceled')) return end('UPSTREAM_CANCELED');
      return has('success') ? RUN : end('EXCLUDED');
    case 'NONE_FAILED':
      if (has('failure')) return end('UPSTREAM_FAILED');
      if (has('canceled')) return end('UPSTREAM_CANCELED');
      return has('success') ? RUN : end('EXCLUDED');
    case 'AT_LEAST_ONE_SUCCESS':
      if (has('success')) return RUN;
      return end(has('failure') ? 'UPSTREAM_FAILED' : has('canceled') ? 'UPSTREAM_CANCELED' : 'EXCLUDED');
    case 'AT_LEAST_ONE_FAILED':
      return has('failure') ? RUN : end('EXCLUDED');
    case 'ALL_FAILED':
      return counts.every((kind) => kind === 'failure') ? RUN : end('EXCLUDED');
  }
}

/** Downstream tasks by the key of each task. */
export function dependantsOf(tasks: readonly TaskSettings[]): ReadonlyMap<string, readonly TaskSettings[]> {
  const found = new Map<string, TaskSettings[]>();
  for (const task of tasks) {
    for (const { task_key } of task.depends_on ?? []) {
      const waiting = found.get(task_key);
      if (waiting) waiting.push(task);
      else found.set(task_key, [task]);
    }
  }
  return found;
}

/** These tasks and all tasks downstream of them, direct or indirect. */
export function withDependants(tasks: readonly TaskSettings[], keys: Iterable<string>): ReadonlySet<string> {
  const dependants = dependantsOf(tasks);
  const found = new Set(keys);
  for (const key of found) for (const { task_key } of dependants.get(key) ?? []) found.add(task_key);
  return found;
}

/** The outcome of a run follows from its last tasks: those without downstream tasks. */
export function outcomeOfRun(
  tasks: readonly TaskSettings[],
  ended: ReadonlyMap<string, Pick<TaskRun, 'key' | 'ending'>>,
): { readonly outcome: Outcome; readonly message: string } {
  const waitedFor = new Set(tasks.flatMap(({ depends_on = [] }) => depends_on.map(({ task_key }) => task_key)));
  const all = [...ended.values()];
  const counted = (task: Pick<TaskRun, 'ending'>): Counted | undefined => task.ending && countedAs(task.ending.outcome);
  const leaves = all.filter(({ key }) => !waitedFor.has(key));
  const decisive = leaves.some((task) => counted(task) !== 'excluded') ? leaves : all;
  const failed = decisive.find((task) => counted(task) === 'failure');
  if (failed) {
    // The task that failed first, not a task that was skipped because of it.
    const cause = all.find(
      ({ ending }) => ending && counted({ ending }) === 'failure' && ending.outcome !== 'UPSTREAM_FAILED',
    );
    const { key, ending } = cause ?? failed;
    const hasSkipped = all.some((task) => task.ending?.outcome === 'UPSTREAM_FAILED');
    const message = `Task ${key} failed with message: ${(ending?.message ?? '').replace(/\.$/, '')}.`;
    return {
      outcome: 'FAILED',
      message: hasSkipped ? `${message} This caused all downstream tasks to get skipped.` : message,
    };
  }
  if (decisive.some((task) => counted(task) === 'canceled')) return { outcome: 'CANCELED', message: 'Run cancelled.' };
  if (all.some((task) => counted(task) === 'failure')) return { outcome: 'SUCCESS_WITH_FAILURES', message: '' };
  return { outcome: 'SUCCESS', message: '' };
}
