import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../../support/jars.ts';
import { type Ask, good, person, refusal, withoutRates } from '../../support.ts';
import { newExperiment, newRun, type Tracking, tracking } from '../support.ts';

const NEW = '/api/3.0/mlflow/traces';

onBothStores('traces', (bench) => {
  let ask: Ask;
  let api: Tracking;
  let experiment: string;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    api = tracking(ask);
    experiment = await newExperiment(api);
  });

  const start = async (timestamp_ms: number, rest: object = {}): Promise<string> =>
    (await api.post('traces', { experiment_id: experiment, timestamp_ms, ...rest })).trace_info.request_id;
  const end = (id: string, timestamp_ms: number, status = 'OK', rest: object = {}) =>
    good(ask('PATCH', `/mlflow/traces/${id}`, { timestamp_ms, status, ...rest }));
  const record = async (info: object, spans?: readonly object[]) => {
    const trace_location = { type: 'MLFLOW_EXPERIMENT', mlflow_experiment: { experiment_id: experiment } };
    const trace = { trace_info: { trace_location, request_time: '2024-01-31T12:00:00.000Z', ...info }, spans };
    return (await good(ask('POST', NEW, { trace }))).trace.trace_info;
  };
  const here = () => [{ type: 'MLFLOW_EXPERIMENT', mlflow_experiment: { experiment_id: experiment } }];
  const find = async (filter: string, rest: object = {}): Promise<string[]> =>
    ((await good(ask('POST', `${NEW}/search`, { locations: here(), filter, ...rest }))).traces ?? []).map(
      (trace: { trace_id: string }) => trace.trace_id,
    );
  const refused = async (method: string, path: string, body?: unknown) => refusal(await ask(method, path, body));

  it('a trace is started, ended, tagged and read', async () => {
    const id = await start(1000, {
      request_metadata: [{ key: 'mlflow.sourceRun', value: 'r1' }],
      tags: [{ key: 'mlflow.traceName', value: 'chat' }],
    });
    expect(id).toMatch(/^tr-[0-9a-f]{32}$/);
    const { trace_info } = await end(id, 2500, 'OK', { tags: [{ key: 'team', value: 'a' }] });
    const expected = {
      request_id: id,
      experiment_id: experiment,
      timestamp_ms: 1000,
      execution_time_ms: 1500,
      status: 'OK',
      request_metadata: [{ key: 'mlflow.sourceRun', value: 'r1' }],
      tags: [
        { key: 'mlflow.traceName', value: 'chat' },
        { key: 'team', value: 'a' },
      ],
    };
    expect(trace_info).toEqual(expected);
    expect((await api.get(`traces/${id}/info`)).trace_info).toEqual(expected);
    await good(ask('PATCH', `/mlflow/traces/${id}/tags`, { key: 'team', value: 'b' }));
    await good(ask('DELETE', `/mlflow/traces/${id}/tags`, { key: 'mlflow.traceName' }));
    expect((await api.get(`traces/${id}/info`)).trace_info.tags).toEqual([{ key: 'team', value: 'b' }]);
    await good(ask('DELETE', `${NEW}/${id}/tags?key=team`));
    expect(await refused('DELETE', `${NEW}/${id}/tags?key=team`)).toEqual({
      status: 404,
      code: 'RESOURCE_DOES_NOT_EXIST',
      message: `No trace tag with key 'team' for trace with ID '${id}'`,
    });
    expect((await good(ask('GET', `${NEW}/${id}`))).trace.trace_info).toMatchObject({
      trace_id: id,
      request_time: '1970-01-01T00:00:01.000Z',
      execution_duration: '1.5s',
      state: 'OK',
      trace_metadata: { 'mlflow.sourceRun': 'r1' },
      tags: {},
    });
  });

  it('a whole trace is recorded with its spans and read with them', async () => {
    const span = {
      name: 'call',
      attributes: [{ key: 'mlflow.spanType', value: { string_value: '"LLM"' } }],
      status: { code: 'OK' },
    };
    const info = await record(
      {
        trace_id: 'tr-own',
        client_request_id: 'c1',
        request_preview: 'hello',
        response_preview: 'world',
        execution_duration: '1.2s',
        state: 'ERROR',
        trace_metadata: { user: 'ada' },
        tags: { team: 'a' },
      },
      [span],
    );
    expect(info).toEqual({
      trace_id: 'tr-own',
      client_request_id: 'c1',
      trace_location: here()[0],
      request_preview: 'hello',
      response_preview: 'world',
      request_time: '2024-01-31T12:00:00.000Z',
      execution_duration: '1.2s',
      state: 'ERROR',
      trace_metadata: { user: 'ada' },
      tags: { team: 'a' },
    });
    expect((await good(ask('GET', `${NEW}/get?trace_id=tr-own`))).trace).toEqual({ trace_info: info, spans: [span] });
    expect(await good(ask('GET', `${NEW}/batchGet?trace_ids=tr-own`))).toEqual({
      traces: [{ trace_info: info, spans: [span] }],
    });
    expect(await good(ask('POST', `${NEW}/batchGetInfos`, { trace_ids: ['tr-own'] }))).toEqual({ trace_infos: [info] });
    await expect(record({ trace_id: 'tr-own' })).rejects.toThrow('already exists');
    await expect(record({ trace_id: 'a/b' })).rejects.toThrow('400');
    for (const filter of [
      "span.name = 'call'",
      "span.type IN ('LLM')",
      "span.status = 'OK'",
      "span.content LIKE '%spanType%'",
      "text ILIKE '%HELLO%'",
      "client_request_id = 'c1'",
      "metadata.user = 'ada'",
      "request_metadata.user LIKE 'a%'",
      'tags.team IS NOT NULL AND tags.other IS NULL',
      "trace.status = 'ERROR'",
      'execution_time_ms = 1200',
      'end_time > 1706702400000',
    ])
      expect([filter, await find(filter)]).toEqual([filter, ['tr-own']]);
    for (const filter of ["span.name = 'other'", "tag.team != 'a'", "status = 'OK'", 'timestamp_ms > 1706702400000'])
      expect([filter, await find(filter)]).toEqual([filter, []]);
  });

  it('searches give the newest first, or what order_by says, page by page', async () => {
    const ids: string[] = [];
    for (const at of [1000, 3000, 2000]) ids.push(await start(at));
    await end(ids[1]!, 3100, 'ERROR');
    await end(ids[2]!, 2900);
    const [a, b, c] = ids as [string, string, string];
    expect(await find('')).toEqual([b, c, a]);
    expect(await find('', { order_by: ['execution_time DESC'] })).toEqual([c, b, a]);
    expect(await find('', { order_by: ['timestamp ASC'] })).toEqual([a, c, b]);
    expect(await find('', { order_by: ['status'] })).toEqual([b, a, c]);
    const query = `experiment_ids=${experiment}&max_results=2&order_by=timestamp_ms`;
    const first = await good(ask('GET', `/mlflow/traces?${query}`));
    expect(first.traces.map((trace: { request_id: string }) => trace.request_id)).toEqual([a, c]);
    const second = await good(ask('GET', `/mlflow/traces?${query}&page_token=${first.next_page_token}`));
    expect(second.traces.map((trace: { request_id: string }) => trace.request_id)).toEqual([b]);
    expect(second.next_page_token).toBeUndefined();
    expect(await refused('POST', `${NEW}/search`, { locations: here(), max_results: 501 })).toMatchObject({
      status: 400,
      message: expect.stringContaining('It must be at most 500'),
    });
    expect(await refused('POST', `${NEW}/search`, { locations: here(), filter: "name RLIKE 'a+'" })).toEqual({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
      message: "Invalid comparator 'RLIKE' not one of '{'=', '!=', 'LIKE', 'ILIKE', 'IN', 'NOT IN'}' (at character 6)",
    });
  });

  it('traces are linked to a run and found by it', async () => {
    const [id, run] = [await start(1), await newRun(api, experiment)];
    await api.post('traces/link-to-run', { trace_ids: [id], run_id: run });
    expect(await find(`run_id = '${run}'`)).toEqual([id]);
    const many = Array.from({ length: 101 }, (_, i) => `tr-${i}`);
    expect(await refused('POST', '/mlflow/traces/link-to-run', { trace_ids: many, run_id: run })).toMatchObject({
      status: 400,
      message: expect.stringContaining('more than 100 traces'),
    });
  });

  it('assessments are made, changed, deleted and found by', async () => {
    const id = await start(1);
    const path = `${NEW}/${id}/assessments`;
    const { assessment } = await good(
      ask('POST', path, { assessment: { assessment_name: 'quality', feedback: { value: 4 }, rationale: 'fine' } }),
    );
    expect(assessment).toMatchObject({
      assessment_name: 'quality',
      trace_id: id,
      feedback: { value: 4 },
      rationale: 'fine',
      source: { source_type: 'HUMAN', source_id: 'admin@vendor.example' },
    });
    await good(ask('POST', path, { assessment: { assessment_name: 'answer', expectation: { value: 'yes' } } }));
    for (const filter of [
      'feedback.quality > 3',
      "feedback.quality = '4'",
      "expectation.answer LIKE 'y%'",
      'feedback.other IS NULL',
    ])
      expect([filter, await find(filter)]).toEqual([filter, [id]]);
    expect(await find('expectation.quality IS NOT NULL')).toEqual([]);
    const one = `${path}/${assessment.assessment_id}`;
    await good(ask('PATCH', one, { assessment: { feedback: { value: 1 } }, update_mask: 'feedback' }));
    expect((await good(ask('GET', one))).assessment).toMatchObject({ feedback: { value: 1 }, rationale: 'fine' });
    expect(await find('feedback.quality > 3')).toEqual([]);
    expect((await good(ask('GET', `${NEW}/${id}`))).trace.trace_info.assessments).toHaveLength(2);
    await good(ask('DELETE', one));
    expect(await refused('GET', one)).toMatchObject({ status: 404, code: 'RESOURCE_DOES_NOT_EXIST' });
  });

  it('traces are deleted by their ids, or from the oldest on', async () => {
    const ids = [];
    for (const at of [1000, 2000, 3000, 4000]) ids.push(await start(at, { tags: [{ key: 'a', value: 'b' }] }));
    const del = (body: object) => good(ask('POST', `${NEW}/delete-traces`, { experiment_id: experiment, ...body }));
    expect(await del({ request_ids: [ids[3], 'tr-none'] })).toEqual({ traces_deleted: 1 });
    expect(await del({ max_timestamp_millis: 2000, max_traces: 1 })).toEqual({ traces_deleted: 1 });
    expect(await find('')).toEqual([ids[2], ids[1]]);
    expect(await del({ max_timestamp_millis: 9000 })).toEqual({ traces_deleted: 2 });
    expect(await find('')).toEqual([]);
    for (const body of [{}, { max_timestamp_millis: 1, request_ids: ['a'] }, { request_ids: ['a'], max_traces: 1 }])
      expect(await refused('POST', `${NEW}/delete-traces`, { experiment_id: experiment, ...body })).toMatchObject({
        status: 400,
        code: 'INVALID_PARAMETER_VALUE',
      });
  });

  it('keys have at most 250 characters and values 8,000', async () => {
    const id = await start(1);
    const tag = (key: string, value: string) => refused('PATCH', `/mlflow/traces/${id}/tags`, { key, value });
    expect(await tag('k'.repeat(251), '')).toMatchObject({ status: 400 });
    expect(await tag('k', 'v'.repeat(8001))).toMatchObject({ status: 400 });
    expect(await tag('k'.repeat(250), 'v'.repeat(8000))).toMatchObject({ status: 200 });
  });
});
