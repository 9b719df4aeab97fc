import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../../support/jars.ts';
import { type Ask, good, person, refusal } from '../../support.ts';
import { after, createJob, JOBS, runNow, task, withoutRates } from '../support.ts';

/** Statements of the published reference about requests, one row each: the accepted requests, the refused ones, and the errors. */

const OK = 200;
const IPV = 'INVALID_PARAMETER_VALUE';
const MALFORMED = 'MALFORMED_REQUEST';

type Expected = typeof OK | readonly [code: string, message: RegExp];
type Row = readonly [fact: string, body: object, expected: Expected];

const missing = (field: string): Expected => [
  IPV,
  new RegExp(`^Missing required field: ${field.replace(/[.[\]]/g, '\\$&')}$`),
];
const wrongType = (field: string): Expected => [MALFORMED, new RegExp(`^Could not parse request object: .*${field}`)];

const one = (members: object, more: object = {}) => ({ tasks: [{ task_key: 'a', ...members }], ...more });
const many = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => task(`t${index}`, '', more));
const condition = (more: object) => one({ condition_task: { op: 'EQUAL_TO', left: '1', right: '1', ...more } });
const forEach = (more: object) => one({ for_each_task: { inputs: '[1]', task: task('i'), ...more } });
const cron = (quartz_cron_expression: string, timezone_id = 'UTC') => ({
  schedule: { quartz_cron_expression, timezone_id },
});
const trigger = (more: object) => ({ trigger: more });
const tags = (count: number) => ({
  tags: Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v'])),
});
const wheel = { package_name: 'p', entry_point: 'e' };
const sql = (more: object) => one({ sql_task: { warehouse_id: 'w', ...more } });
const dbt = (count: number) => one({ dbt_task: { commands: Array.from({ length: count }, () => 'dbt run') } });
const git = { git_url: 'https://git.test/a', git_provider: 'gitHub', git_branch: 'main' };
const hooks = (count: number) => ({
  webhook_notifications: { on_start: Array.from({ length: count }, () => ({ id: 'x' })) },
});
const health = (rule: object) => ({
  health: { rules: [{ metric: 'RUN_DURATION_SECONDS', op: 'GREATER_THAN', value: 1, ...rule }] },
});

/** The required members of each kind of task, and a task with all of them. */
const KINDS: Readonly<Record<string, { readonly good: object; readonly required?: readonly string[] }>> = {
  notebook_task: { good: { notebook_path: '/n' }, required: ['notebook_path'] },
  spark_python_task: { good: { python_file: '/f.py' }, required: ['python_file'] },
  python_wheel_task: { good: wheel, required: ['package_name', 'entry_point'] },
  spark_jar_task: { good: { main_class_name: 'M' } },
  sql_task: { good: { warehouse_id: 'w', query: { query_id: 'q' } }, required: ['warehouse_id'] },
  dbt_task: { good: { commands: ['dbt run'] }, required: ['commands'] },
  pipeline_task: { good: { pipeline_id: 'p' }, required: ['pipeline_id'] },
  run_job_task: { good: { job_id: 1 }, required: ['job_id'] },
  condition_task: { good: { op: 'EQUAL_TO', left: '', right: '' }, required: ['op', 'left', 'right'] },
  for_each_task: { good: { inputs: '[]', task: task('i') }, required: ['inputs', 'task'] },
  clean_rooms_notebook_task: {
    good: { clean_room_name: 'c', notebook_name: 'n' },
    required: ['clean_room_name', 'notebook_name'],
  },
  dashboard_task: { good: {} },
  alert_task: { good: {} },
  dbt_cloud_task: { good: { anything: 1 } },
  dbt_platform_task: { good: { anything: 1 } },
  power_bi_task: { good: { anything: 1 } },
  gen_ai_compute_task: { good: { anything: 1 } },
  ai_runtime_task: { good: { anything: 1 } },
  genie_task: { good: { anything: 1 } },
  agentic_task: { good: { anything: 1 } },
  python_operator_task: { good: { anything: 1 } },
};

const without = (members: object, name: string): object =>
  Object.fromEntries(Object.entries(members).filter(([each]) => each !== name));

const OF_KINDS: readonly Row[] = Object.entries(KINDS).flatMap(([kind, { good: whole, required = [] }]) => [
  [`${kind} with what it needs`, one({ [kind]: whole }), OK] satisfies Row,
  [`${kind} that is no object`, one({ [kind]: 'x' }), wrongType(kind)] satisfies Row,
  ...required.map(
    (name) =>
      [
        `${kind} needs ${name}`,
        one({ [kind]: without(whole, name) }),
        missing(`tasks[0].${kind}.${name}`),
      ] satisfies Row,
  ),
]);

/** Members of the wrong type: each is refused as malformed, with its path. */
const OF_TYPES: readonly Row[] = [
  ['dashboard_task', { filters: [] }],
  ['dashboard_task', { subscription: 'x' }],
  ['alert_task', { subscribers: {} }],
  ['alert_task', { parameters: [] }],
  ['pipeline_task', { pipeline_id: 'p', full_refresh_selection: 'x' }],
  ['pipeline_task', { pipeline_id: 'p', refresh_selection: [1] }],
  ['pipeline_task', { pipeline_id: 'p', full_refresh: 'yes' }],
  ['sql_task', { warehouse_id: 'w', alert: { alert_id: 'a', subscriptions: {} } }],
  ['sql_task', { warehouse_id: 'w', dashboard: { dashboard_id: 'd', subscriptions: 'x' } }],
  ['notebook_task', { notebook_path: '/n', base_parameters: { a: 1 } }],
  ['spark_python_task', { python_file: '/f', parameters: 'x' }],
  ['spark_jar_task', { run_as_repl: 1 }],
  ['clean_rooms_notebook_task', { clean_room_name: 'c', notebook_name: 'n', notebook_base_parameters: { a: 1 } }],
].map(([kind, members]) => [
  `${kind} of wrong types: ${JSON.stringify(members)}`,
  one({ [kind as string]: members }),
  [MALFORMED, /^Could not parse request object: the field 'tasks\[0\]/],
]);

const CREATE: readonly Row[] = [
  ['a name of 4,096 bytes', { name: 'n'.repeat(4096) }, OK],
  ['a name of 4,097 bytes', { name: 'n'.repeat(4097) }, [IPV, /name/]],
  ['1,000 tasks', { tasks: many(1000) }, OK],
  ['1,001 tasks', { tasks: many(1001) }, [IPV, /1000/]],
  ['a task has exactly one kind: none', one({}), [IPV, /exactly one/]],
  ['a task has exactly one kind: two', one({ spark_jar_task: {}, dashboard_task: {} }), [IPV, /exactly one/]],
  ['a schedule excludes continuous', { ...cron('0 0 0 * * ?'), continuous: {} }, [IPV, /schedule/]],
  [
    'a schedule excludes a trigger',
    { ...cron('0 0 0 * * ?'), trigger: { periodic: { interval: 1, unit: 'DAYS' } } },
    [IPV, /schedule/],
  ],
  [
    'a trigger excludes continuous',
    { continuous: {}, trigger: { periodic: { interval: 1, unit: 'DAYS' } } },
    [IPV, /continuous/],
  ],
  ['max_concurrent_runs 1,000', { max_concurrent_runs: 1000 }, OK],
  ['max_concurrent_runs 1,001', { max_concurrent_runs: 1001 }, [IPV, /max_concurrent_runs/]],
  ['max_concurrent_runs 0', { max_concurrent_runs: 0 }, OK],
  ['25 tags', tags(25), OK],
  ['26 tags', tags(26), [IPV, /tags/]],
  ['a description of 27,700', { description: 'd'.repeat(27_700) }, OK],
  ['a description of 27,701', { description: 'd'.repeat(27_701) }, [IPV, /description/]],
  ['edit_mode of another word', { edit_mode: 'X' }, [IPV, /edit_mode/]],
  ['an unknown field is ignored', { no_such_field: [1] }, OK],
  ['a name of the wrong type', { name: 5 }, wrongType('name')],
  ['tasks of the wrong type', { tasks: {} }, wrongType('tasks')],
  ['null is absent', { name: null, tasks: null, schedule: null }, OK],
  ['source WORKSPACE', one({ notebook_task: { notebook_path: '/n', source: 'WORKSPACE' } }), OK],
  ['source of another word', one({ notebook_task: { notebook_path: '/n', source: 'X' } }), [IPV, /source/]],
  [
    'source GIT needs a git_source',
    one({ notebook_task: { notebook_path: '/n', source: 'GIT' } }),
    [IPV, /git_source/],
  ],
  [
    'a wheel with list and map',
    one({ python_wheel_task: { ...wheel, parameters: ['a'], named_parameters: { a: '1' } } }),
    [IPV, /named_parameters/],
  ],
  [
    'spark_submit on a new cluster',
    one({ spark_submit_task: { parameters: [] }, new_cluster: { num_workers: 0 } }),
    OK,
  ],
  [
    'spark_submit on another cluster',
    one({ spark_submit_task: { parameters: [] }, existing_cluster_id: 'c' }),
    [IPV, /new_cluster/],
  ],
  ['spark_submit without a cluster', one({ spark_submit_task: { parameters: [] } }), [IPV, /new_cluster/]],
  ['SQL of nothing', sql({}), [IPV, /exactly one/]],
  ['SQL of two things', sql({ query: { query_id: 'q' }, alert: { alert_id: 'a' } }), [IPV, /exactly one/]],
  ['a SQL query needs its id', sql({ query: {} }), missing('tasks[0].sql_task.query.query_id')],
  ['a SQL file needs its path', sql({ file: {} }), missing('tasks[0].sql_task.file.path')],
  ['a SQL dashboard needs its id', sql({ dashboard: {} }), missing('tasks[0].sql_task.dashboard.dashboard_id')],
  ['a SQL alert needs its id', sql({ alert: {} }), missing('tasks[0].sql_task.alert.alert_id')],
  ['10 dbt commands', dbt(10), OK],
  ['11 dbt commands', dbt(11), [IPV, /commands/]],
  ['a command that is not of dbt', one({ dbt_task: { commands: ['ls'] } }), [IPV, /dbt/]],
  ...['EQUAL_TO', 'NOT_EQUAL', 'GREATER_THAN', 'GREATER_THAN_OR_EQUAL', 'LESS_THAN', 'LESS_THAN_OR_EQUAL'].map(
    (op) => [`the operator ${op}`, condition({ op }), OK] satisfies Row,
  ),
  ['another operator', condition({ op: 'IN' }), [IPV, /op/]],
  [
    'a for-each task in a for-each task',
    forEach({ task: { task_key: 'i', for_each_task: { inputs: '[]', task: task('j') } } }),
    [IPV, /nested/],
  ],
  ['100 iterations at once', forEach({ concurrency: 100 }), OK],
  ['101 iterations at once', forEach({ concurrency: 101 }), [IPV, /concurrency/]],
  ['no iteration at once', forEach({ concurrency: 0 }), [IPV, /concurrency/]],
  ['10,000 inputs', forEach({ inputs: JSON.stringify(Array.from({ length: 10_000 }, () => 1)) }), OK],
  ['10,001 inputs', forEach({ inputs: JSON.stringify(Array.from({ length: 10_001 }, () => 1)) }), [IPV, /10000/]],
  ['inputs that are a reference', forEach({ inputs: '{{job.parameters.list}}' }), OK],
  ['inputs that are no list', forEach({ inputs: '{"a":1}' }), [IPV, /inputs/]],
  ['two computes', one({ spark_jar_task: {}, existing_cluster_id: 'c', new_cluster: {} }), [IPV, /compute/]],
  ['a job cluster that is not there', one({ spark_jar_task: {}, job_cluster_key: 'c' }), [IPV, /job cluster/]],
  ['an environment that is not there', one({ spark_jar_task: {}, environment_key: 'c' }), [IPV, /environment/]],
  ['a task without a key', { tasks: [{ spark_jar_task: {} }] }, missing('tasks[0].task_key')],
  ['a key of 100 characters', { tasks: [task('k'.repeat(100))] }, OK],
  ['a key of 101 characters', { tasks: [task('k'.repeat(101))] }, [IPV, /task_key/]],
  ['an empty key', { tasks: [task('')] }, [IPV, /task_key/]],
  ['a key with a dot', { tasks: [task('a.b')] }, [IPV, /task_key/]],
  ['a description of a task of 4,096 bytes', { tasks: [task('a', '', { description: 'ä'.repeat(2048) })] }, OK],
  [
    'a description of a task of 4,097 bytes',
    { tasks: [task('a', '', { description: `${'ä'.repeat(2048)}a` })] },
    [IPV, /description/],
  ],
  [
    'a dependency without a key',
    { tasks: [task('a', '', { depends_on: [{}] })] },
    missing('tasks[0].depends_on[0].task_key'),
  ],
  [
    'an outcome of a task that is no condition',
    { tasks: [task('a'), task('b', '', { depends_on: [{ task_key: 'a', outcome: 'true' }] })] },
    [IPV, /condition/],
  ],
  ...['ALL_SUCCESS', 'AT_LEAST_ONE_SUCCESS', 'NONE_FAILED', 'ALL_DONE', 'AT_LEAST_ONE_FAILED', 'ALL_FAILED'].map(
    (run_if) => [`run_if ${run_if}`, { tasks: [task('a', '', { run_if })] }, OK] satisfies Row,
  ),
  ['another run_if', { tasks: [task('a', '', { run_if: 'X' })] }, [IPV, /run_if/]],
  ['max_retries -1', { tasks: [task('a', '', { max_retries: -1 })] }, OK],
  ['max_retries -2', { tasks: [task('a', '', { max_retries: -2 })] }, [IPV, /max_retries/]],
  ['a cycle', { tasks: [task('a', '', after('b')), task('b', '', after('a'))] }, [IPV, /cycle/]],
  ['an unknown dependency', { tasks: [task('a', '', after('b'))] }, [IPV, /'b'/]],
  ['a key that is there twice', { tasks: [task('a'), task('a')] }, [IPV, /unique/]],
  ['3 destinations of an event are too many only for what they are', hooks(3), [IPV, /destination 'x' does not exist/]],
  ['4 destinations of an event', hooks(4), [IPV, /at most 3/]],
  ...[
    'RUN_DURATION_SECONDS',
    'STREAMING_BACKLOG_BYTES',
    'STREAMING_BACKLOG_RECORDS',
    'STREAMING_BACKLOG_SECONDS',
    'STREAMING_BACKLOG_FILES',
  ].map((metric) => [`the metric ${metric}`, health({ metric }), OK] satisfies Row),
  ['another metric', health({ metric: 'X' }), [IPV, /metric/]],
  ['another comparison', health({ op: 'LESS_THAN' }), [IPV, /op/]],
  [
    'lists of all events',
    {
      email_notifications: Object.fromEntries(
        [
          'start',
          'success',
          'failure',
          'duration_warning_threshold_exceeded',
          'streaming_backlog_exceeded',
          'maintenance_start',
          'maintenance_complete',
        ].map((event) => [`on_${event}`, ['a@b.test']]),
      ),
    },
    OK,
  ],
  [
    'a list of an event that is no list',
    { email_notifications: { on_streaming_backlog_exceeded: 'a@b.test' } },
    wrongType('on_streaming_backlog_exceeded'),
  ],
  ['Quartz with 6 fields', cron('0 0 0 * * ?'), OK],
  ['Quartz with 7 fields', cron('0 0 0 * * ? 2030'), OK],
  ['Unix cron of 5 fields', cron('0 0 * * *'), [IPV, /cron/]],
  ['Quartz with 8 fields', cron('0 0 0 * * ? 2030 1'), [IPV, /cron/]],
  ['both days given', cron('0 0 0 1 * MON'), [IPV, /cron/]],
  ['firings every 10 seconds', cron('0/10 * * * * ?'), OK],
  ['firings every 9 seconds', cron('0/9 * * * * ?'), [IPV, /10 seconds/]],
  ['an IANA zone', cron('0 0 0 * * ?', 'Europe/Berlin'), OK],
  ['a zone of Java by its offset', cron('0 0 0 * * ?', 'GMT+02:00'), OK],
  ['an unknown zone', cron('0 0 0 * * ?', 'Mars/Base'), [IPV, /timezone/i]],
  [
    'a schedule without a zone',
    { schedule: { quartz_cron_expression: '0 0 0 * * ?' } },
    missing('schedule.timezone_id'),
  ],
  [
    'a schedule without an expression',
    { schedule: { timezone_id: 'UTC' } },
    missing('schedule.quartz_cron_expression'),
  ],
  [
    'a condition of a schedule needs its query',
    { schedule: { ...cron('0 0 0 * * ?').schedule, sql_condition: { warehouse_id: 'w' } } },
    missing('schedule.sql_condition.sql_query_id'),
  ],
  ...['MINUTES', 'HOURS', 'DAYS', 'WEEKS'].map(
    (unit) => [`every 2 ${unit}`, trigger({ periodic: { interval: 2, unit } }), OK] satisfies Row,
  ),
  ['a period of another unit', trigger({ periodic: { interval: 1, unit: 'YEARS' } }), [IPV, /unit/]],
  ['a period without an interval', trigger({ periodic: { unit: 'DAYS' } }), missing('trigger.periodic.interval')],
  ['a file arrival without a place', trigger({ file_arrival: {} }), missing('trigger.file_arrival.url')],
  [
    '60 seconds between arrivals',
    trigger({
      file_arrival: {
        url: '/Volumes/a/b/c/',
        min_time_between_triggers_seconds: 60,
        wait_after_last_change_seconds: 60,
      },
    }),
    OK,
  ],
  [
    '59 seconds between arrivals',
    trigger({ file_arrival: { url: '/Volumes/a/b/c/', min_time_between_triggers_seconds: 59 } }),
    [IPV, /60/],
  ],
  [
    '59 seconds after the last change',
    trigger({ file_arrival: { url: '/Volumes/a/b/c/', wait_after_last_change_seconds: 59 } }),
    [IPV, /60/],
  ],
  ['an update without tables', trigger({ table_update: {} }), missing('trigger.table_update.table_names')],
  [
    'an update with another condition',
    trigger({ table_update: { table_names: ['a.b.c'], condition: 'X' } }),
    [IPV, /condition/],
  ],
  ['a model without a condition', trigger({ model: {} }), missing('trigger.model.condition')],
  ...['MODEL_CREATED', 'MODEL_VERSION_READY', 'MODEL_ALIAS_SET'].map(
    (each) => [`the model condition ${each}`, trigger({ model: { condition: each } }), OK] satisfies Row,
  ),
  [
    'a trigger of two kinds',
    trigger({ periodic: { interval: 1, unit: 'DAYS' }, model: { condition: 'MODEL_CREATED' } }),
    [IPV, /exactly one/],
  ],
  ['a trigger of no kind', trigger({ pause_status: 'PAUSED' }), [IPV, /one of/]],
  [
    'triggers beside a trigger',
    {
      ...trigger({ periodic: { interval: 1, unit: 'DAYS' } }),
      triggers: [{ periodic: { interval: 1, unit: 'HOURS' } }],
    },
    OK,
  ],
  ['a continuous job of two runs', { continuous: {}, max_concurrent_runs: 2 }, [IPV, /max_concurrent_runs/]],
  ['another retry mode', { continuous: { task_retry_mode: 'X' } }, [IPV, /task_retry_mode/]],
  ['a pause status of another word', { continuous: { pause_status: 'X' } }, [IPV, /pause_status/]],
  ['a repository', { git_source: git }, OK],
  [
    'a repository without a provider',
    { git_source: without(git, 'git_provider') },
    [IPV, /^git_source\.git_provider must be one of/],
  ],
  ['a repository without an address', { git_source: without(git, 'git_url') }, missing('git_source.git_url')],
  ['a branch and a tag', { git_source: { ...git, git_tag: 't' } }, [IPV, /one of git_branch, git_tag and git_commit/]],
  ['neither branch nor tag nor commit', { git_source: without(git, 'git_branch') }, OK],
  ...OF_KINDS,
  ...OF_TYPES,
];

onAnyStore('data platform: what the reference says about requests of jobs', (bench) => {
  let ask: Ask;
  let job_id: number;

  // Once for all rows: no row changes what another row reads.
  beforeEach(async () => {
    if (job_id) return;
    await withoutRates(bench);
    ask = await person(bench);
    job_id = await createJob(ask, { tasks: [task('a', 'true'), task('b', 'true')], max_concurrent_runs: 1000 });
  });

  async function check(path: string, body: object, expected: Expected, name = path): Promise<void> {
    const reply = await ask('POST', `${JOBS}/${path}`, body);
    if (expected === OK) return expect(reply.status, `${name}: ${reply.text}`).toBe(OK);
    const [code, message] = expected;
    expect(refusal(reply), name).toEqual({ status: 400, code, message: expect.stringMatching(message) });
  }

  it.each(CREATE)('create: %s', (fact, body, expected) => check('create', body, expected, fact));

  const bytes = (count: number): readonly string[] => ['x'.repeat(count - 4)];
  const RUN_NOW: readonly Row[] = [
    ['parameters of 10,000 bytes', { jar_params: bytes(10_000) }, OK],
    ...['jar_params', 'python_params', 'spark_submit_params', 'dbt_commands'].map(
      (name) => [`${name} of 10,001 bytes`, { [name]: bytes(10_001) }, [IPV, new RegExp(name)]] satisfies Row,
    ),
    ...['notebook_params', 'python_named_params', 'sql_params', 'job_parameters'].map(
      (name) =>
        [`${name} of 10,001 bytes`, { [name]: { a: 'x'.repeat(10_001 - 8) } }, [IPV, new RegExp(name)]] satisfies Row,
    ),
    ['notebook_params with jar_params', { notebook_params: {}, jar_params: [] }, [IPV, /jar_params/]],
    ['a token of 64 characters', { idempotency_token: 't'.repeat(64) }, OK],
    ['a token of 65 characters', { idempotency_token: 't'.repeat(65) }, [IPV, /idempotency_token/]],
    ['only some tasks', { only: ['b'] }, OK],
    ['only an unknown task', { only: ['z'] }, [IPV, /'z'/]],
    ['a queue of the wrong type', { queue: true }, wrongType('queue')],
    ['parameters of the wrong type', { job_parameters: { a: 1 } }, wrongType('job_parameters.a')],
  ];
  it.each(RUN_NOW)('run-now: %s', (fact, body, expected) => check('run-now', { job_id, ...body }, expected, fact));

  it('one token gives one run, whatever else the call says', async () => {
    const first = await runNow(ask, job_id, { idempotency_token: 'same' });
    expect(await runNow(ask, job_id, { idempotency_token: 'same', only: ['b'] })).toBe(first);
    const submitted = { tasks: [task('a', 'true')], idempotency_token: 'submitted' };
    const { run_id } = await good(ask('POST', `${JOBS}/runs/submit`, submitted));
    expect(await good(ask('POST', `${JOBS}/runs/submit`, submitted))).toEqual({ run_id });
  });
});
