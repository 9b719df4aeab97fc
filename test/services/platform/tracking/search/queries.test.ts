import { WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../../support/jars.ts';
import { by, good, person, refusal, withoutRates } from '../../support.ts';
import { newExperiment, type Tracking, tracking } from '../support.ts';

/**
 * | run | acc | loss | lr | opt | note | stage | status | start |
 * |---|---|---|---|---|---|---|---|---|
 * | a | 0.9 | 1 | 0.1 | adam | | dev | FINISHED | 1000 |
 * | b | 0.8 | NaN | 0.1 | sgd | it''s | prod | FINISHED | 2000 |
 * | c | 0.8 | Infinity | 0.01 | Adam | 100% | prod | FAILED | 3000 |
 * | d | | -1 | | adamw | a_b | | RUNNING | 4000 |
 * | e | -0.5 | 0 | 10 | | | dev | RUNNING | 4000 |
 */
const RUNS = [
  { name: 'a', metrics: { acc: 0.9, loss: 1 }, params: { lr: '0.1', opt: 'adam' }, tags: { stage: 'dev' } },
  {
    name: 'b',
    metrics: { acc: 0.8, loss: 'NaN' },
    params: { lr: '0.1', opt: 'sgd', note: "it''s" },
    tags: { stage: 'prod' },
  },
  {
    name: 'c',
    metrics: { acc: 0.8, loss: 'Infinity' },
    params: { lr: '0.01', opt: 'Adam', note: '100%' },
    tags: { stage: 'prod' },
  },
  { name: 'd', metrics: { loss: -1 }, params: { opt: 'adamw', note: 'a_b' }, tags: { 'a b': 'x' } },
  { name: 'e', metrics: { acc: -0.5, loss: 0 }, params: { lr: '10' }, tags: { stage: 'dev' } },
] as const;
const STARTS = [1000, 2000, 3000, 4000, 4000];
const ENDS: Readonly<Record<string, object>> = {
  a: { status: 'FINISHED', end_time: 5000 },
  b: { status: 'FINISHED', end_time: 2500 },
  c: { status: 'FAILED', end_time: 3500 },
};

/** Filters and the runs that they find, ordered by name. */
const FILTERS: readonly (readonly [filter: string, found: string])[] = [
  ['', 'abcde'],
  ['metrics.acc > 0.8', 'a'],
  ['metrics.acc >= 0.8', 'abc'],
  ['metrics.acc < 0.8', 'e'],
  ['metrics.acc <= 0.8', 'bce'],
  ['metrics.acc = 0.8', 'bc'],
  ['metrics.acc != 0.8', 'ae'],
  ['metrics.acc > -1', 'abce'],
  ['metrics.acc = 0.80', 'bc'],
  ['metrics.acc = 8e-1', 'bc'],
  ['metrics.acc > 100', ''],
  ['metrics.none > 0', ''],
  ['metrics.loss = 0', 'e'],
  ['metrics.loss != 0', 'acd'],
  ['metrics.loss > 1', 'c'],
  ['metrics.loss > 1e300', 'c'],
  ['metrics.loss >= -1', 'acde'],
  ['metrics.loss < 0', 'd'],
  ['metric.`acc` > 0.8', 'a'],
  ['metrics."acc" > 0.8', 'a'],
  ["params.lr = '0.1'", 'ab'],
  ["params.lr = '0.10'", ''],
  ["params.lr != '0.1'", 'ce'],
  ["params.lr LIKE '0.%'", 'abc'],
  ["params.lr LIKE '0._'", 'ab'],
  ["params.lr LIKE '1'", ''],
  ["params.lr LIKE '1%'", 'e'],
  ["params.opt = 'adam'", 'a'],
  ["params.opt LIKE 'adam%'", 'ad'],
  ["params.opt ILIKE 'adam%'", 'acd'],
  ["params.opt ILIKE 'ADAM'", 'ac'],
  ["params.opt LIKE '%d%'", 'abcd'],
  ["params.opt LIKE '%'", 'abcd'],
  ["params.opt LIKE ''", ''],
  ['params.opt = "sgd"', 'b'],
  ["param.opt != 'sgd'", 'acd'],
  ["parameter.opt != 'sgd'", 'acd'],
  ["parameters.opt != 'sgd'", 'acd'],
  ['params.opt IS NULL', 'e'],
  ['params.opt IS NOT NULL', 'abcd'],
  ['params.note IS NULL', 'ae'],
  ["params.note = 'it''s'", 'b'],
  ["params.note = '100%'", 'c'],
  ["params.note LIKE '100%'", 'c'],
  ["params.note LIKE 'a_b'", 'd'],
  ["params.note LIKE '%''%'", 'b'],
  ["params.note != 'a_b'", 'bc'],
  ["tags.stage = 'prod'", 'bc'],
  ["tag.stage = 'dev'", 'ae'],
  ["tags.stage != 'prod'", 'ae'],
  ['tags.stage IS NULL', 'd'],
  ['tags.stage is not null', 'abce'],
  ["tags.`a b` = 'x'", 'd'],
  ['tags."a b" = "x"', 'd'],
  ["tags.stage ILIKE 'P%'", 'bc'],
  ["tags.mlflow.runName = 'a'", 'a'],
  ["tags.`mlflow.runName` LIKE '_'", 'abcde'],
  ["attributes.status = 'FINISHED'", 'ab'],
  ["status = 'FINISHED'", 'ab'],
  ["attr.status != 'FINISHED'", 'cde'],
  ["run.status LIKE 'F%'", 'abc'],
  ["status ILIKE 'f%'", 'abc'],
  ["status = 'finished'", ''],
  ["run_name = 'c'", 'c'],
  ["run_name != 'c'", 'abde'],
  ["`run name` = 'c'", 'c'],
  ["attributes.`Run name` LIKE 'c'", 'c'],
  ['"Run Name" = "c"', 'c'],
  ["user_id = 'admin@vendor.example'", 'abcde'],
  ["user_id != 'admin@vendor.example'", ''],
  ["user_id LIKE 'admin@%'", 'abcde'],
  ['start_time = 4000', 'de'],
  ['start_time > 2000', 'cde'],
  ['start_time >= 2000', 'bcde'],
  ['start_time != 4000', 'abc'],
  ['created < 2000', 'a'],
  ['attributes.Created <= 2000', 'ab'],
  ['end_time > 3000', 'ac'],
  ['end_time != 5000', 'bc'],
  ['end_time < 100', ''],
  ["artifact_uri LIKE 'dbfs:%'", 'abcde'],
  ["run_id = 'none'", ''],
  ["run_id != 'none'", 'abcde'],
  ["run_id IN ('none')", ''],
  ["run_id NOT IN ('none', 'other')", 'abcde'],
  ["dataset.name = 'd1'", 'ab'],
  ["datasets.name LIKE 'd%'", 'abc'],
  ["dataset.name IN ('d1', 'd2')", 'abc'],
  ["dataset.name NOT IN ('d1')", 'bc'],
  ["dataset.name != 'd1'", 'bc'],
  ["dataset.digest = 'x'", 'abc'],
  ["dataset.context = 'train'", 'a'],
  ["dataset.context ILIKE 'TRAIN'", 'a'],
  ["metrics.acc > 0.5 AND params.lr = '0.1'", 'ab'],
  ["metrics.acc > 0.5 and params.lr = '0.1' And tags.stage = 'prod'", 'b'],
  ["params.opt ILIKE 'adam' AND status = 'FAILED'", 'c'],
  ['metrics.acc > 0.5 AND metrics.loss > 0', 'ac'],
  ['metrics.acc > 0.5 AND metrics.acc < 0.85', 'bc'],
  ["metrics.acc > 0.5 AND params.opt = 'none'", ''],
  ["tags.stage = 'dev' AND params.opt IS NULL", 'e'],
  ["dataset.name = 'd1' AND dataset.name = 'd2'", 'b'],
  ["params.lr = '0.1' AND dataset.context = 'train' AND start_time = 1000", 'a'],
];

const ORDERS: readonly (readonly [orderBy: readonly string[], found: string])[] = [
  [[], 'decba|edcba'],
  [['start_time DESC'], 'decba|edcba'],
  [['start_time'], 'abcde|abced'],
  [['metrics.acc'], 'ecbad'],
  [['metrics.acc DESC'], 'acbed'],
  [['metrics.loss'], 'deacb'],
  [['metrics.loss DESC'], 'caedb'],
  [['params.lr'], 'cbaed'],
  [['params.lr DESC'], 'ebacd'],
  [['params.opt ASC'], 'cadbe'],
  [['tags.stage DESC', 'metrics.acc'], 'cbead'],
  [['tags.stage', 'metrics.loss DESC'], 'aecbd'],
  [['attributes.status', 'start_time ASC'], 'cabde|cabed'],
  [['end_time'], 'bcade|bcaed'],
  [['end_time DESC'], 'acbde|acbed'],
  [['`Run Name` DESC'], 'edcba'],
  [['run_name'], 'abcde'],
  [['params.none', 'run_name DESC'], 'edcba'],
];

onBothStores('searches of runs', (bench) => {
  let api: Tracking;
  let experiment: string;
  let token: string;
  let isFilled = false;
  const ids: Record<string, string> = {};

  beforeAll(() => {
    isFilled = false;
  });

  // Once: searches change nothing.
  beforeEach(async () => {
    if (isFilled) return;
    isFilled = true;
    await withoutRates(bench);
    token = await bench.jar.token({ user: 'admin', ttl: '3650d' });
    api = tracking(by(bench, token));
    experiment = await newExperiment(api);
    for (const [i, run] of RUNS.entries()) {
      const created = await api.post('runs/create', {
        experiment_id: experiment,
        run_name: run.name,
        start_time: STARTS[i],
      });
      const run_id = created.run.info.run_id;
      ids[run.name] = run_id;
      const entries = (values: object) => Object.entries(values).map(([key, value]) => ({ key, value }));
      await api.post('runs/log-batch', {
        run_id,
        metrics: entries(run.metrics).map((metric) => ({ ...metric, timestamp: 1 })),
        params: entries(run.params),
        tags: entries(run.tags),
      });
      if (ENDS[run.name]) await api.post('runs/update', { run_id, ...ENDS[run.name] });
    }
    const input = (name: string, context?: string) => ({
      dataset: { name, digest: 'x', source_type: 'local', source: 's' },
      tags: context ? [{ key: 'mlflow.data.context', value: context }] : [],
    });
    await api.post('runs/log-inputs', { run_id: ids.a, datasets: [input('d1', 'train')] });
    await api.post('runs/log-inputs', { run_id: ids.b, datasets: [input('d1'), input('d2')] });
    await api.post('runs/log-inputs', { run_id: ids.c, datasets: [input('d2')] });
  });

  const search = (body: object) => api.post('runs/search', { experiment_ids: [experiment], ...body });
  const names = async (body: object): Promise<string> =>
    ((await search(body)).runs ?? []).map((run: { info: { run_name: string } }) => run.info.run_name).join('');
  const refused = async (body: object) =>
    refusal(await by(bench, token)('POST', '/mlflow/runs/search', { experiment_ids: [experiment], ...body }));

  it('every filter finds the matching runs', async () => {
    expect(FILTERS.length).toBeGreaterThanOrEqual(100);
    for (const [filter, found] of FILTERS)
      expect([filter, [...(await names({ filter }))].sort().join('')]).toEqual([filter, found]);
    expect(await names({ filter: `run_id IN ('${ids.a}', "${ids.d}")` })).toBe('da');
  });

  it('every order is kept, and equals are the newest first, then by their ids', async () => {
    for (const [order_by, found] of ORDERS) {
      const [one, other = one] = found.split('|');
      // d and e started at the same time, and their ids are random.
      expect([order_by, await names({ order_by })]).toEqual([order_by, ids.d! < ids.e! ? one : other]);
    }
  });

  it('pages follow one another, and a token is good for its own search alone', async () => {
    const question = { filter: 'metrics.loss > -10', order_by: ['metrics.loss'], max_results: 2 };
    const first = await search(question);
    expect(first.runs.map((run: { info: { run_name: string } }) => run.info.run_name)).toEqual(['d', 'e']);
    const page_token = first.next_page_token;
    expect(await names({ ...question, page_token })).toBe('ac');
    expect((await search({ ...question, page_token })).next_page_token).toBeUndefined();
    for (const other of [{ filter: '' }, { order_by: [] }, { run_view_type: 'ALL' }, { page_token: 'x' }])
      expect(await refused({ ...question, page_token, ...other })).toMatchObject({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
        message: expect.stringContaining('Invalid page token, could not base64-decode'),
      });
  });

  it('max_results, view types and experiments are checked', async () => {
    expect(await refused({ max_results: 0 })).toMatchObject({
      message: "Invalid value 0 for parameter 'max_results' supplied. It must be a positive integer",
    });
    expect(await refused({ max_results: 50_001 })).toMatchObject({
      message: "Invalid value 50001 for parameter 'max_results' supplied. It must be at most 50000",
    });
    expect(await refused({ run_view_type: 'SOME' })).toMatchObject({ status: 400 });
    expect(await refused({ experiment_ids: [] })).toMatchObject({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
    expect(await refused({ experiment_ids: ['123'] })).toMatchObject({ status: 404, code: 'RESOURCE_DOES_NOT_EXIST' });
    expect(await refused({ filter: 'metrics.a > 1 OR metrics.b > 1' })).toEqual({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message: "Invalid clause(s) in filter string: 'OR' (at character 15)",
    });
    expect(await refused({ order_by: ['run_name', 'run_name'] })).toMatchObject({
      message: "`order_by` contains duplicate fields: ['run_name']",
    });
  });

  it('the official client finds runs and experiments', async () => {
    const client = new WorkspaceClient({ host: bench.jar.url, token });
    const found = [];
    for await (const run of client.experiments.searchRuns({
      experiment_ids: [experiment],
      filter: "params.lr = '0.1'",
      order_by: ['metrics.acc'],
      max_results: 1,
    }))
      found.push(run.info?.run_id);
    expect(found).toEqual([ids.b, ids.a]);
    const experiments = [];
    for await (const each of client.experiments.searchExperiments({ filter: "name LIKE '/Shared/%'" }))
      experiments.push(each.experiment_id);
    expect(experiments).toEqual([experiment]);
  });

  it('deleted runs, and runs of deleted experiments, are found by view type', async () => {
    const other = await newExperiment(api);
    const ofOther = async (run_view_type: string) =>
      ((await search({ experiment_ids: [other], run_view_type })).runs ?? []).length;
    const [first] = [
      await api.post('runs/create', { experiment_id: other }),
      await api.post('runs/create', { experiment_id: other }),
    ];
    await api.post('runs/delete', { run_id: first!.run.info.run_id });
    expect([await ofOther('ACTIVE_ONLY'), await ofOther('DELETED_ONLY'), await ofOther('ALL')]).toEqual([1, 1, 2]);
    await api.post('experiments/delete', { experiment_id: other });
    expect([await ofOther('ACTIVE_ONLY'), await ofOther('DELETED_ONLY'), await ofOther('ALL')]).toEqual([0, 2, 2]);
    const experiments = async (body: object) =>
      ((await api.post('experiments/search', body)).experiments ?? []).map(
        (each: { experiment_id: string }) => each.experiment_id,
      );
    expect(await experiments({ view_type: 'DELETED_ONLY' })).toEqual([other]);
    expect(await experiments({ view_type: 'ALL', order_by: ['name DESC'] })).toEqual([other, experiment]);
    expect(await experiments({ filter: "tags.mlflow.experimentType = 'none'" })).toEqual([]);
    expect(await experiments({ filter: "tags.mlflow.ownerEmail LIKE 'admin@%'" })).toEqual([experiment]);
    expect(await good(by(bench, token)('GET', '/mlflow/experiments/search?max_results=1'))).toMatchObject({
      experiments: [{ experiment_id: experiment }],
    });
  });

  it('hostile filters are answered: 100 kB of them, deep brackets, patterns that others would try again and again', async () => {
    const long = (filter: string) => refused({ filter });
    expect((await long(`${'('.repeat(50_000)}`)).status).toBe(400);
    expect((await long(`${'(a'.repeat(30_000)}${')'.repeat(30_000)}`)).message.length).toBeLessThan(3000);
    expect((await long(Array(5000).fill('metrics.a > 1').join(' AND '))).message).toContain('at most 100 comparisons');
    expect((await long(`params.opt LIKE '${'%a'.repeat(50_000)}'`)).status).toBe(200);
    expect((await long(`params.opt LIKE '${'_'.repeat(100_000)}%'`)).status).toBe(200);
    expect((await long(`run_id IN (${Array(5000).fill("'abcdef'").join(', ')})`)).status).toBe(200);
    expect((await long(`params.opt = '${'x'.repeat(100_000)}`)).status).toBe(400);
    expect((await long(`metrics.${'a.'.repeat(50_000)}a > 1`)).status).toBe(200);
  });

  it('a caller who may not read the experiment is refused, and finds no experiment', async () => {
    const own = await newExperiment(api, '/Users/admin@vendor.example/own');
    const ask = await person(bench, 'licensed');
    expect(refusal(await ask('POST', '/mlflow/runs/search', { experiment_ids: [own] }))).toMatchObject({ status: 403 });
    const { experiments = [] } = await good(ask('POST', '/mlflow/experiments/search', {}));
    expect(experiments.map((each: { experiment_id: string }) => each.experiment_id)).not.toContain(own);
    const filter = "name = '/Users/admin@vendor.example/own'";
    expect(await good(ask('POST', '/mlflow/experiments/search', { filter }))).toEqual({});
    expect((await api.post('experiments/search', { filter })).experiments).toHaveLength(1);
  });
});
