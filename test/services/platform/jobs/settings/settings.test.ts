import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../../src/kernel/http/errors.ts';
import type { JobSettings } from '../../../../../src/services/platform/jobs/job.ts';
import { changedSettings } from '../../../../../src/services/platform/jobs/settings/change.ts';
import { completeJob, completeSubmitted } from '../../../../../src/services/platform/jobs/settings/complete.ts';
import { withoutTasks, withTasks } from '../../../../../src/services/platform/jobs/settings/old-form.ts';
import { parametersOf, readRunRequest } from '../../../../../src/services/platform/jobs/settings/parameters.ts';
import { after, task } from '../support.ts';

const ALLOWED = { tasks: 1000 };

const complete = (settings: unknown): JobSettings => completeJob(settings, ALLOWED);

function refusalOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof ApiError) return `${error.status} ${error.code} ${error.message}`;
    throw error;
  }
  return 'accepted';
}

const notebook = (path = '/Shared/n') => ({ notebook_path: path });
const one = (member: object, more: object = {}) => ({ tasks: [{ task_key: 'a', ...member }], ...more });
const scheduled = (quartz_cron_expression: string, timezone_id = 'UTC') => ({
  schedule: { quartz_cron_expression, timezone_id },
});
const forEach = (more: object) => one({ for_each_task: { inputs: '[1,2]', task: task('inner'), ...more } });
const many = (count: number) => Array.from({ length: count }, (_, index) => task(`t${index}`));

const REFUSED: readonly (readonly [string, unknown, RegExp])[] = [
  ['a body that is no object', [], /^400 MALFORMED_REQUEST Could not parse request object: the body must be an object/],
  ['a wrong type', { name: 7 }, /MALFORMED_REQUEST .*'name' must be a string/],
  [
    'a wrong type deep inside',
    one({ notebook_task: { notebook_path: 7 } }),
    /'tasks\[0\]\.notebook_task\.notebook_path' must be a string/,
  ],
  ['a number that is none', { timeout_seconds: 1.5 }, /'timeout_seconds' must be an integer/],
  ['a name of more than 4096 bytes', { name: 'ä'.repeat(2049) }, /name must have at most 4096 bytes/],
  ['a long description', { description: 'x'.repeat(27_701) }, /at most 27700 characters/],
  [
    '26 tags',
    { tags: Object.fromEntries(Array.from({ length: 26 }, (_, index) => [`k${index}`, 'v'])) },
    /tags must have at most 25 members; it has 26/,
  ],
  ['1001 tasks', { tasks: many(1001) }, /The number of tasks 1001 exceeds the maximum of 1000/],
  [
    '101 job clusters',
    { job_clusters: Array.from({ length: 101 }, (_, index) => ({ job_cluster_key: `c${index}`, new_cluster: {} })) },
    /job_clusters must have at most 100 entries/,
  ],
  ['too many concurrent runs', { max_concurrent_runs: 1001 }, /max_concurrent_runs must be at most 1000; it is 1001/],
  ['negative concurrent runs', { max_concurrent_runs: -1 }, /must be at least 0/],
  ['a task without a key', { tasks: [{ notebook_task: notebook() }] }, /Missing required field: tasks\[0\]\.task_key/],
  ['a key with a blank', { tasks: [task('a b')] }, /tasks\[0\]\.task_key may contain only letters, digits, - and _/],
  ['a key of 101 characters', { tasks: [task('k'.repeat(101))] }, /at most 100 characters/],
  ['a task of no kind', one({}), /Task a must define exactly one task type; it has none/],
  [
    'a task of two kinds',
    one({ notebook_task: notebook(), spark_jar_task: {} }),
    /exactly one task type; it has notebook_task, spark_jar_task/,
  ],
  ['a kind that is unknown', one({ quantum_task: {} }), /unknown task type 'quantum_task'/],
  [
    'a notebook without a path',
    one({ notebook_task: {} }),
    /Missing required field: tasks\[0\]\.notebook_task\.notebook_path/,
  ],
  [
    'two kinds of compute',
    one({ notebook_task: notebook(), existing_cluster_id: 'x', new_cluster: {} }),
    /more than one compute: existing_cluster_id, new_cluster/,
  ],
  [
    'an unknown job cluster',
    one({ notebook_task: notebook(), job_cluster_key: 'x' }),
    /job cluster 'x', which is not defined/,
  ],
  [
    'an unknown environment',
    one({ notebook_task: notebook(), environment_key: 'x' }),
    /environment 'x', which is not defined/,
  ],
  [
    'a wheel with both forms of parameters',
    one({ python_wheel_task: { package_name: 'p', entry_point: 'e', parameters: [], named_parameters: {} } }),
    /both parameters and named_parameters/,
  ],
  [
    'a SQL task about two things',
    one({ sql_task: { warehouse_id: 'w', query: { query_id: 'q' }, file: { path: 'p' } } }),
    /exactly one of query, file, dashboard, alert/,
  ],
  [
    'a dbt command of something else',
    one({ dbt_task: { commands: ['rm -rf /'] } }),
    /commands\[0\] must start with 'dbt'/,
  ],
  ['no dbt command', one({ dbt_task: { commands: [] } }), /at least 1 entries/],
  [
    'an unknown operator',
    one({ condition_task: { op: 'LIKE', left: '1', right: '2' } }),
    /condition_task\.op must be one of: EQUAL_TO/,
  ],
  ['an unknown run_if', { tasks: [task('a', '', { run_if: 'SOMETIMES' })] }, /run_if must be one of: ALL_SUCCESS/],
  ['retries below -1', { tasks: [task('a', '', { max_retries: -2 })] }, /max_retries must be at least -1/],
  ['a duplicate key', { tasks: [task('a'), task('a')] }, /Task key 'a' is not unique/],
  [
    'an unknown dependency',
    { tasks: [task('a', '', after('b'))] },
    /Task 'a' depends on the task 'b', which does not exist/,
  ],
  ['a dependency on itself', { tasks: [task('a', '', after('a'))] }, /in a cycle: a -> a/],
  [
    'a cycle of three',
    { tasks: [task('z'), task('a', '', after('c')), task('b', '', after('a')), task('c', '', after('b', 'z'))] },
    /in a cycle: (a -> b -> c -> a|b -> c -> a -> b|c -> a -> b -> c)/,
  ],
  ['a dependency said twice', { tasks: [task('a'), task('b', '', after('a', 'a'))] }, /more than once/],
  [
    'an outcome of no condition',
    { tasks: [task('a'), task('b', '', { depends_on: [{ task_key: 'a', outcome: 'true' }] })] },
    /'a', which is not a condition_task/,
  ],
  [
    'a for-each in a for-each',
    one({ for_each_task: { inputs: '[]', task: { task_key: 'i', for_each_task: { inputs: '[]', task: task('j') } } } }),
    /cannot be nested/,
  ],
  ['inputs that are no array', forEach({ inputs: '{"a":1}' }), /must be a JSON array or a reference/],
  ['10,001 inputs', forEach({ inputs: JSON.stringify(Array(10_001).fill(0)) }), /has 10001 elements; at most 10000/],
  ['101 iterations at once', forEach({ concurrency: 101 }), /concurrency must be at most 100/],
  [
    'a condition in a for-each',
    forEach({ task: { task_key: 'i', condition_task: { op: 'EQUAL_TO', left: '', right: '' } } }),
    /cannot be a condition_task/,
  ],
  [
    'two timings',
    { ...scheduled('0 0 0 * * ?'), continuous: {} },
    /only one of schedule, trigger and continuous; it has schedule and continuous/,
  ],
  [
    'a bad cron expression',
    scheduled('0 0 25 * * ?'),
    /Invalid quartz cron expression '0 0 25 \* \* \?': the field 'hour'/,
  ],
  ['firings of every second', scheduled('* * * * * ?'), /at least 10 seconds apart; some are 1/],
  ['an unknown zone', scheduled('0 0 0 * * ?', 'Mars/Base'), /Invalid timezone: 'Mars\/Base'/],
  [
    'a schedule without a zone',
    { schedule: { quartz_cron_expression: '0 0 0 * * ?' } },
    /Missing required field: schedule\.timezone_id/,
  ],
  [
    'a trigger of two kinds',
    { trigger: { periodic: { interval: 1, unit: 'DAYS' }, file_arrival: { url: 'x' } } },
    /exactly one of periodic/,
  ],
  ['an interval of nothing', { trigger: { periodic: { interval: 0, unit: 'DAYS' } } }, /interval must be at least 1/],
  [
    'a wait of less than a minute',
    { trigger: { file_arrival: { url: 'x', min_time_between_triggers_seconds: 59 } } },
    /must be at least 60/,
  ],
  [
    'a continuous job with two runs at once',
    { continuous: {}, max_concurrent_runs: 2 },
    /max_concurrent_runs of a continuous job must be 1/,
  ],
  [
    'four destinations',
    { webhook_notifications: { on_start: [1, 2, 3, 4].map((id) => ({ id: String(id) })) } },
    /on_start must have at most 3 entries; it has 4/,
  ],
  [
    'an unknown health metric',
    { health: { rules: [{ metric: 'MOOD', op: 'GREATER_THAN', value: 1 }] } },
    /health\.rules\[0\]\.metric must be one of/,
  ],
  [
    'a parameter defined twice',
    {
      parameters: [
        { name: 'p', default: '' },
        { name: 'p', default: '' },
      ],
    },
    /'p' is defined more than once/,
  ],
  [
    'a parameter without a default',
    { parameters: [{ name: 'p' }] },
    /Missing required field: parameters\[0\]\.default/,
  ],
  [
    'git without a provider',
    { git_source: { git_url: 'https://x' } },
    /^400 INVALID_PARAMETER_VALUE git_source\.git_provider must be one of: github,gitlab/,
  ],
  [
    'git at two places',
    { git_source: { git_url: 'https://x', git_provider: 'gitHub', git_branch: 'm', git_tag: 't' } },
    /only one of git_branch/,
  ],
  [
    'job clusters with one key',
    { job_clusters: ['c', 'c'].map((key) => ({ job_cluster_key: key, new_cluster: {} })) },
    /job_cluster_key 'c' is used more than once/,
  ],
];

describe('settings of jobs', () => {
  it.each(REFUSED)('%s is refused', (_title, settings, expected) => {
    expect(refusalOf(() => complete(settings))).toMatch(expected);
  });

  it('fills in defaults, sorts dependencies, keeps unknown members, and drops null', () => {
    const settings = complete({
      tasks: [
        {
          task_key: 'b',
          notebook_task: notebook(),
          depends_on: [{ task_key: 'c' }, { task_key: 'a' }],
          new_thing: [1],
        },
        { task_key: 'a', notebook_task: notebook(), max_retries: '3', description: null },
        task('c'),
        {
          task_key: 'each',
          for_each_task: { inputs: '{{tasks.a.values.x}}', task: { task_key: 'i', notebook_task: notebook() } },
        },
      ],
      future: { yes: true },
      schedule: { quartz_cron_expression: '0 0 0 * * ?', timezone_id: 'UTC' },
    });
    expect(settings).toEqual({
      name: 'Untitled',
      format: 'MULTI_TASK',
      max_concurrent_runs: 1,
      timeout_seconds: 0,
      email_notifications: {},
      webhook_notifications: {},
      future: { yes: true },
      schedule: { quartz_cron_expression: '0 0 0 * * ?', timezone_id: 'UTC', pause_status: 'UNPAUSED' },
      tasks: [
        {
          task_key: 'b',
          notebook_task: { notebook_path: '/Shared/n', source: 'WORKSPACE' },
          depends_on: [{ task_key: 'a' }, { task_key: 'c' }],
          new_thing: [1],
          run_if: 'ALL_SUCCESS',
          timeout_seconds: 0,
          email_notifications: {},
        },
        expect.objectContaining({ task_key: 'a', max_retries: 3 }),
        expect.objectContaining({ task_key: 'c' }),
        expect.objectContaining({
          for_each_task: {
            inputs: '{{tasks.a.values.x}}',
            task: expect.objectContaining({ notebook_task: { notebook_path: '/Shared/n', source: 'WORKSPACE' } }),
          },
        }),
      ],
    });
    expect(settings.tasks?.[1]).not.toHaveProperty('description');
    const git = { git_url: 'https://x', git_provider: 'gitHub' };
    expect(
      complete({ ...one({ notebook_task: notebook() }), git_source: git }).tasks?.[0]?.notebook_task,
    ).toMatchObject({
      source: 'GIT',
    });
  });

  it('bounds hold at their last value', () => {
    complete({
      name: 'ä'.repeat(2048),
      description: 'x'.repeat(27_700),
      tags: Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`k${index}`, 'v'])),
      tasks: many(1000),
      max_concurrent_runs: 1000,
    });
    complete({
      ...forEach({ concurrency: 100, inputs: JSON.stringify(Array(10_000).fill(0)) }),
      max_concurrent_runs: 0,
    });
    complete(scheduled('0/10 * * * * ?'));
  });

  it('a submitted run needs a task and has no job clusters', () => {
    const submit = (sent: object) => refusalOf(() => completeSubmitted(sent, ALLOWED));
    expect(submit({})).toMatch(/at least one task/);
    expect(submit({ tasks: [task('a')], idempotency_token: 'x'.repeat(65) })).toMatch(/at most 64 characters/);
    expect(submit({ tasks: [task('a', '', { job_cluster_key: 'c' })] })).toMatch(/'c', which is not defined/);
    expect(submit({ tasks: [task('a')], idempotency_token: 'x'.repeat(64) })).toBe('accepted');
  });

  it('a graph of tasks in any order is accepted exactly where no task waits for itself', () => {
    const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 20 });
    fc.assert(
      fc.property(edges, (pairs) => {
        const upstream = new Map<number, Set<number>>();
        for (const [from, to] of pairs) upstream.set(to, (upstream.get(to) ?? new Set()).add(from));
        const reaches = (from: number, goal: number, seen = new Set<number>()): boolean =>
          [...(upstream.get(from) ?? [])].some(
            (each) => each === goal || (!seen.has(each) && reaches(each, goal, seen.add(each))),
          );
        const isCircular = Array.from({ length: 10 }, (_, node) => node).some((node) => reaches(node, node));
        const tasks = Array.from({ length: 10 }, (_, node) =>
          task(`t${node}`, '', after(...[...(upstream.get(node) ?? [])].map((each) => `t${each}`))),
        );
        expect(refusalOf(() => complete({ tasks })) !== 'accepted').toBe(isCircular);
      }),
    );
  });
});

describe('hostile settings', () => {
  const NAMES = [
    'tasks',
    'task_key',
    'depends_on',
    'for_each_task',
    'task',
    'notebook_task',
    'inputs',
    'schedule',
    'constructor',
  ];
  const anything = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, -1, 2 ** 53, 1e308, '', 'a', '{{x}}', '\ud800'),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...NAMES), tie('node'), { maxKeys: 4 }),
    ),
  })).node;

  it('are accepted or refused, and never anything else', () => {
    fc.assert(
      fc.property(anything, anything, (sent, news) => {
        for (const action of [
          () => complete(withTasks(sent)),
          () => completeSubmitted(withTasks(sent), ALLOWED),
          () =>
            complete(
              changedSettings(complete({ tasks: [task('a')] }), news, ['constructor', 'constructor/x', 'tasks/']),
            ),
          () => readRunRequest(sent),
        ])
          expect(refusalOf(action)).toMatch(/^(accepted|400 )/);
      }),
      { numRuns: 500 },
    );
  });

  it('a member named __proto__ does not pass unchecked members for own ones', () => {
    const sent = JSON.parse('{"__proto__":{"tasks":[{"task_key":"x"}],"timeout_seconds":-5}}');
    for (const settings of [complete(sent), complete(changedSettings(complete({}), sent, []))])
      expect(settings).toMatchObject({ tasks: [], timeout_seconds: 0 });
  });
});

describe('changes of settings', () => {
  const before = complete({
    name: 'n',
    tags: { a: '1' },
    tasks: [task('a'), task('b', '', after('a'))],
    parameters: [{ name: 'p', default: '1' }],
  });
  const changed = (news: unknown, removed: readonly string[] = []) => complete(changedSettings(before, news, removed));

  it('replaces fields, merges tasks by key, and removes fields and tasks', () => {
    expect(changed({ tags: { b: '2' }, parameters: [] })).toMatchObject({
      name: 'n',
      tags: { b: '2' },
      parameters: [],
    });
    const merged = changed({ tasks: [task('c'), task('a', 'exit 1')] });
    expect(merged.tasks?.map(({ task_key: key }) => key)).toEqual(['a', 'b', 'c']);
    expect(merged.tasks?.[0]?.spark_jar_task).toMatchObject({ cloudjar: 'exit 1' });
    expect(changed({}, ['tags', 'tasks/b', 'nothing', 'tasks/none', 'nothing/x'])).toEqual({
      ...Object.fromEntries(Object.entries(before).filter(([name]) => name !== 'tags')),
      tasks: [before.tasks?.[0]],
    });
  });

  it('checks the whole after the change', () => {
    expect(refusalOf(() => changed({}, ['tasks/a']))).toMatch(/depends on the task 'a', which does not exist/);
    expect(refusalOf(() => changed({ tasks: [task('x'), task('x')] }))).toMatch(/not unique/);
    expect(refusalOf(() => changed({ tasks: 7 }))).toMatch(/'new_settings.tasks' must be an array/);
    expect(refusalOf(() => changed('x'))).toMatch(/'new_settings' must be an object/);
  });

  it('a job of version 2.0 is changed in its own form', () => {
    const old = complete(withTasks({ name: 'o', notebook_task: notebook(), existing_cluster_id: 'c', max_retries: 1 }));
    expect(old).toMatchObject({
      format: 'SINGLE_TASK',
      tasks: [{ task_key: 'main', existing_cluster_id: 'c', max_retries: 1 }],
    });
    expect(withoutTasks(old)).toMatchObject({ notebook_task: notebook(), existing_cluster_id: 'c', max_retries: 1 });
    expect(withoutTasks(old)).not.toHaveProperty('tasks');
    const retried = complete(changedSettings(old, { max_retries: 5 }, []));
    expect(withoutTasks(retried)).toMatchObject({ max_retries: 5, notebook_task: notebook() });
    const jar = withoutTasks(complete(changedSettings(old, { spark_jar_task: { main_class_name: 'M' } }, [])));
    expect(jar).toMatchObject({ spark_jar_task: { main_class_name: 'M' }, existing_cluster_id: 'c' });
    expect(jar).not.toHaveProperty('notebook_task');
    const several = complete(changedSettings(old, { tasks: [task('second')] }, []));
    expect(several).toMatchObject({ format: 'MULTI_TASK', tasks: [{ task_key: 'main' }, { task_key: 'second' }] });
  });
});

describe('parameters of runs', () => {
  it('maps and lists have at most 10,000 bytes as JSON', () => {
    const fits = { a: 'x'.repeat(10_000 - 8) };
    expect(readRunRequest({ notebook_params: fits })).toEqual({ notebook_params: fits });
    for (const name of ['job_parameters', 'notebook_params', 'python_named_params', 'sql_params'])
      expect(refusalOf(() => readRunRequest({ [name]: { a: 'x'.repeat(10_000 - 7) } }))).toMatch(
        new RegExp(`400 INVALID_PARAMETER_VALUE ${name} must have at most 10000 bytes as JSON; it has 10001`),
      );
    expect(refusalOf(() => readRunRequest({ jar_params: ['x'.repeat(10_000)] }))).toMatch(/jar_params must have/);
  });

  it('refuses conflicting members and wrong types', () => {
    expect(refusalOf(() => readRunRequest({ notebook_params: {}, jar_params: [] }))).toMatch(
      /in conjunction with jar_params/,
    );
    expect(refusalOf(() => readRunRequest({ notebook_params: { a: 1 } }))).toMatch(
      /'notebook_params.a' must be a string/,
    );
    expect(refusalOf(() => readRunRequest({ idempotency_token: 'x'.repeat(65) }))).toMatch(/at most 64/);
  });

  it('values of a call take the place of defaults', () => {
    const settings = {
      parameters: [
        { name: 'a', default: '1' },
        { name: 'b', default: '2' },
        { name: 'toString', default: '3' },
      ],
    };
    expect(parametersOf(settings, { b: '9', extra: 'e' })).toEqual([
      { name: 'a', default: '1', value: '1' },
      { name: 'b', default: '2', value: '9' },
      { name: 'toString', default: '3', value: '3' },
      { name: 'extra', default: '', value: 'e' },
    ]);
  });
});
