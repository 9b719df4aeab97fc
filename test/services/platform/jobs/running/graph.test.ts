import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunIf, TaskSettings } from '../../../../../src/services/platform/jobs/job.ts';
import type { Outcome } from '../../../../../src/services/platform/jobs/run.ts';
import { outcomeOfRun, readinessOf, withDependants } from '../../../../../src/services/platform/jobs/running/graph.ts';
import type { TaskRun } from '../../../../../src/services/platform/jobs/task-run.ts';

const ended = (key: string, outcome: Outcome, conditionOutcome?: string) =>
  [
    key,
    {
      key,
      state: 'TERMINATED',
      ending: { outcome, message: `${key} says` },
      ...(conditionOutcome && { conditionOutcome }),
    },
  ] as const;

const task = (run_if: RunIf, ...keys: string[]): TaskSettings => ({
  task_key: 'last',
  run_if,
  depends_on: keys.map((task_key) => ({ task_key })),
});

describe('whether a task may begin', () => {
  const cases: readonly (readonly [RunIf, readonly Outcome[], 'run' | Outcome])[] = [
    ['ALL_SUCCESS', ['SUCCESS', 'SUCCESS'], 'run'],
    ['ALL_SUCCESS', ['SUCCESS', 'FAILED'], 'UPSTREAM_FAILED'],
    ['ALL_SUCCESS', ['SUCCESS', 'TIMEDOUT'], 'UPSTREAM_FAILED'],
    ['ALL_SUCCESS', ['SUCCESS', 'CANCELED'], 'UPSTREAM_CANCELED'],
    ['ALL_SUCCESS', ['SUCCESS', 'EXCLUDED'], 'run'],
    ['ALL_SUCCESS', ['EXCLUDED'], 'EXCLUDED'],
    ['ALL_SUCCESS', ['UPSTREAM_FAILED'], 'UPSTREAM_FAILED'],
    ['AT_LEAST_ONE_SUCCESS', ['FAILED', 'SUCCESS'], 'run'],
    ['AT_LEAST_ONE_SUCCESS', ['FAILED', 'FAILED'], 'UPSTREAM_FAILED'],
    ['NONE_FAILED', ['SUCCESS', 'EXCLUDED'], 'run'],
    ['NONE_FAILED', ['SUCCESS', 'FAILED'], 'UPSTREAM_FAILED'],
    ['NONE_FAILED', ['EXCLUDED', 'EXCLUDED'], 'EXCLUDED'],
    ['ALL_DONE', ['FAILED', 'CANCELED', 'EXCLUDED'], 'run'],
    ['AT_LEAST_ONE_FAILED', ['SUCCESS', 'FAILED'], 'run'],
    ['AT_LEAST_ONE_FAILED', ['SUCCESS', 'SUCCESS'], 'EXCLUDED'],
    ['ALL_FAILED', ['FAILED', 'TIMEDOUT'], 'run'],
    ['ALL_FAILED', ['FAILED', 'SUCCESS'], 'EXCLUDED'],
  ];

  it.each(cases)('%s behind %j: %s', (runIf, outcomes, expected) => {
    const keys = outcomes.map((_, index) => `t${index}`);
    const upstream = new Map(outcomes.map((outcome, index) => ended(`t${index}`, outcome)));
    const readiness = readinessOf(task(runIf, ...keys), upstream);
    expect(readiness).toEqual(expected === 'run' ? { is: 'run' } : { is: 'end', outcome: expected });
  });

  it('waits for every task before it, whatever its rule', () => {
    const upstream = new Map<string, Pick<TaskRun, 'key' | 'state'>>([
      ended('a', 'FAILED'),
      ['b', { key: 'b', state: 'RUNNING' }],
    ]);
    expect(readinessOf(task('AT_LEAST_ONE_FAILED', 'a', 'b'), upstream)).toEqual({ is: 'wait' });
  });

  it('is left out on the other branch of a condition', () => {
    const depends = { ...task('ALL_SUCCESS'), depends_on: [{ task_key: 'check', outcome: 'true' }] };
    expect(readinessOf(depends, new Map([ended('check', 'SUCCESS', 'false')]))).toEqual({
      is: 'end',
      outcome: 'EXCLUDED',
    });
    expect(readinessOf(depends, new Map([ended('check', 'SUCCESS', 'true')]))).toEqual({ is: 'run' });
  });

  it('ends as disabled where it is', () => {
    expect(readinessOf({ ...task('ALL_DONE'), disabled: true }, new Map())).toEqual({ is: 'end', outcome: 'DISABLED' });
  });
});

describe('how a run ends', () => {
  const chain: readonly TaskSettings[] = [
    { task_key: 'a' },
    { task_key: 'b', depends_on: [{ task_key: 'a' }] },
    { task_key: 'c', depends_on: [{ task_key: 'a' }], run_if: 'AT_LEAST_ONE_FAILED' },
  ];
  const run = (...outcomes: readonly Outcome[]) =>
    outcomeOfRun(chain, new Map(['a', 'b', 'c'].map((key, index) => ended(key, outcomes[index] as Outcome))));

  it('well, where its last tasks did', () => {
    expect(run('SUCCESS', 'SUCCESS', 'EXCLUDED').outcome).toBe('SUCCESS');
  });

  it('failed, naming the task that began it', () => {
    expect(run('FAILED', 'UPSTREAM_FAILED', 'SUCCESS')).toEqual({
      outcome: 'FAILED',
      message: 'Task a failed with message: a says. This caused all downstream tasks to get skipped.',
    });
  });

  it('with the message of that task, whose full stop is not doubled', () => {
    const failed = new Map([
      ['a', { key: 'a', ending: { outcome: 'FAILED', message: 'It does not exist.' } as const }],
    ]);
    expect(outcomeOfRun(chain.slice(0, 1), failed).message).toBe('Task a failed with message: It does not exist.');
  });

  it('well with failures, where only a task before the last ones failed', () => {
    expect(outcomeOfRun(chain.slice(0, 2), new Map([ended('a', 'FAILED'), ended('b', 'SUCCESS')])).outcome).toBe(
      'SUCCESS_WITH_FAILURES',
    );
  });
});

describe('continuation of a run after its tasks', () => {
  it('is the same as walking every path, for any graph', () => {
    const graphs = fc.array(fc.array(fc.nat(19), { maxLength: 3 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(graphs, fc.nat(19), (edges, from) => {
        const tasks = edges.map((before, index) => ({
          task_key: `t${index}`,
          depends_on: [...new Set(before.filter((each) => each < index))].map((each) => ({ task_key: `t${each}` })),
        }));
        const start = `t${from % tasks.length}`;
        const reached = new Set([start]);
        for (const { task_key, depends_on } of tasks)
          if (depends_on.some((each) => reached.has(each.task_key))) reached.add(task_key);
        expect(new Set(withDependants(tasks, [start]))).toEqual(reached);
      }),
    );
  });
});
