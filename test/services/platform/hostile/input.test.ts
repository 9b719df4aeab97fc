import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { createJob, getRun, JOBS, runNow, task, withoutRates } from '../jobs/support.ts';
import { type Ask, good, person, refusal } from '../support.ts';

/** Where time grows with the square of the length, this is minutes: such a test ends by its time limit. */
const LONG = 1_000_000;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

onAnyStore('data platform: input that is made to do harm', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  const importNotebook = (format: string, language: string, source: string, path = '/Shared/hostile') =>
    ask('POST', '/workspace/import', { path, format, language, content: base64(source), overwrite: true });

  it('names that every object has are no names of types, settings or parameters', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(await ask('GET', `/permissions/sql/${name}/1`)).toMatchObject({ status: 400 });
      expect(await ask('GET', `/preview/sql/permissions/${name}/1`)).toMatchObject({ status: 400 });
      expect(await ask('POST', `/preview/sql/permissions/${name}/1`, {})).toMatchObject({ status: 400 });
    }
    const created = await good(ask('POST', `${JOBS}/create`, '{"name":"a","__proto__":{"tasks":5,"name":"b"}}'));
    const changed = '{"constructor":[1],"__proto__":{"tasks":5}}';
    await good(ask('POST', `${JOBS}/update`, `{"job_id":${created.job_id},"new_settings":${changed}}`));
    const { settings } = await good(ask('GET', `${JOBS}/get?job_id=${created.job_id}`));
    expect(settings).toMatchObject({ name: 'a', max_concurrent_runs: 1, tasks: [] });
  });

  it('references and parameters with such names stand for what was given, or for nothing', async () => {
    const inner = await createJob(ask, {
      tasks: [task('a', 'echo {{constructor}} {{__proto__}} {{job.parameters.constructor}}')],
      parameters: [{ name: 'constructor', default: 'given' }],
    });
    const outer = await createJob(ask, { tasks: [{ task_key: 'r', run_job_task: { job_id: inner } }] });
    await runNow(ask, outer);
    await bench.jar.clock.advance('1m');
    const [run] = (await good(ask('GET', `${JOBS}/runs/list?job_id=${inner}&expand_tasks=true`))).runs;
    const { run_id } = (await getRun(ask, run.run_id)).tasks[0];
    expect(await good(ask('GET', `${JOBS}/runs/get-output?run_id=${run_id}`))).toMatchObject({
      logs: '{{constructor}} {{__proto__}} given\n',
    });
  });

  it('long lines and long runs of white space are read once', async () => {
    await good(importNotebook('R_MARKDOWN', 'R', `\`\`\`{${'a'.repeat(LONG)}`));
    await good(importNotebook('R_MARKDOWN', 'R', `x${'\n'.repeat(LONG)}x`));
    await good(importNotebook('SOURCE', 'PYTHON', `# Databricks notebook source\n# cloudjar:${' '.repeat(LONG)}`));
    await runNow(
      ask,
      await createJob(ask, { tasks: [{ task_key: 'n', notebook_task: { notebook_path: '/Shared/hostile' } }] }),
    );
    await good(ask('POST', '/secrets/scopes/create', { scope: 's' }));
    const put = (bytes_value: string) => ask('POST', '/secrets/put', { scope: 's', key: 'k', bytes_value });
    expect(refusal(await put(`${' '.repeat(LONG)}!`))).toMatchObject({ status: 400, code: 'MALFORMED_REQUEST' });
    await good(put(' YQ =\n= '));
    const { id } = await good(ask('GET', '/preview/scim/v2/Me'));
    const path = `emails[${'('.repeat(LONG)}].value`;
    const patch = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [{ op: 'remove', path }] };
    expect(await ask('PATCH', `/preview/scim/v2/Users/${id}`, patch)).toMatchObject({ status: 400 });
  });

  it('code between fences keeps its language in R Markdown, whatever its name', async () => {
    await good(
      importNotebook('R_MARKDOWN', 'R', '\n\ntext\n\n```{constructor}\n1\n```\n\n```{bash, echo=FALSE}\nls\n```\n'),
    );
    const { content } = await good(ask('GET', '/workspace/export?path=/Shared/hostile&format=SOURCE'));
    const source = Buffer.from(content, 'base64').toString();
    expect(source).toContain('%md');
    expect(source).toContain('%constructor');
    expect(source).toContain('%sh');
  });

  it('a SELECT of a million characters is read once', async () => {
    const spec = {
      cluster_name: 'c',
      spark_version: '15.4.x-scala2.12',
      node_type_id: 'Standard_DS3_v2',
      num_workers: 0,
    };
    const { cluster_id: clusterId } = await good(ask('POST', '/clusters/create', spec));
    await bench.jar.clock.advance('10m');
    const { id: contextId } = await good(ask('POST', '/api/1.2/contexts/create', { clusterId, language: 'sql' }));
    await bench.jar.clock.advance('1m');
    const results = async (command: string) => {
      const sent = { clusterId, contextId, language: 'sql', command };
      const { id } = await good(ask('POST', '/api/1.2/commands/execute', sent));
      await bench.jar.clock.advance('1m');
      const at = `clusterId=${clusterId}&contextId=${contextId}&commandId=${id}`;
      return (await good(ask('GET', `/api/1.2/commands/status?${at}`))).results;
    };
    expect(await results("SELECT 1 AS one, 'a, b' as `two`\n,3 ; ")).toMatchObject({ data: [[1, 'a, b', 3]] });
    const million = LONG - 100;
    for (const command of [`select ${',x'.repeat(million / 2)}`, `select 'a${' as '.repeat(million / 4)}`])
      expect(await results(command)).toMatchObject({ resultType: 'error' });
    for (const gap of [' ', ';\n', '/**/'])
      expect((await results(`select 1${gap.repeat(million / gap.length)}x`)).resultType).toMatch(/^(table|error)$/);
  });

  it('a policy of slow patterns refuses a cluster soon, and one of a very deep path is refused', async () => {
    const keys = Array.from({ length: 500 }, (_, index) => `k${index}`);
    const rules = keys.map((key) => [`spark_conf.${key}`, { type: 'regex', pattern: '(a+)+b' }]);
    const create = (name: string, definition: object) =>
      ask('POST', '/policies/clusters/create', { name, definition: JSON.stringify(definition) });
    const { policy_id } = await good(create('slow', Object.fromEntries(rules)));
    const answer = await ask('POST', '/clusters/create', {
      cluster_name: 'c',
      spark_version: '15.4.x-scala2.12',
      node_type_id: 'Standard_DS3_v2',
      num_workers: 0,
      policy_id,
      spark_conf: Object.fromEntries(keys.map((key) => [key, 'a'.repeat(40)])),
    });
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
    const deep = { [`spark_conf${'.a'.repeat(100_000)}`]: { type: 'fixed', value: 'x' } };
    expect(refusal(await create('deep', deep))).toMatchObject({ status: 400 });
  });

  it('a run that waited in the queue runs only the tasks that it was asked for', async () => {
    const job_id = await createJob(ask, { tasks: [task('a'), task('b')], queue: { enabled: true } });
    await runNow(ask, job_id);
    const second = await runNow(ask, job_id, { only: ['a'] });
    await bench.jar.clock.advance('1m');
    const { tasks } = await getRun(ask, second);
    const results = tasks.map(({ task_key, state }: { task_key: string; state: { life_cycle_state: string } }) => [
      task_key,
      state.life_cycle_state,
    ]);
    expect(Object.fromEntries(results)).toEqual({ a: 'TERMINATED', b: 'SKIPPED' });
  });
});
