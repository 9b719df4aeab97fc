import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { EngineClient, filters } from '../../../../src/kernel/engines/docker/client.ts';
import { startJar, type TestJar } from '../../../../src/testing/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { BUSYBOX } from '../../../support/podman.ts';
import { importPythonImage } from '../../../support/python-image.ts';
import { usePodman } from '../../../support/use-podman.ts';

interface Listed {
  readonly Labels: Readonly<Record<string, string>>;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('tasks of jobs on a real container engine', () => {
  let jar: TestJar;
  let engine: EngineClient;
  let token: string;
  let socket: string;

  beforeEach(async (context) => {
    if (jar) return;
    socket = await usePodman(context);
    engine = new EngineClient({ kind: 'unix', path: socket, name: socket });
    jar = await startJar({
      engine: 'docker',
      clock: 'shifted',
      settings: { containers: { socket, stopGraceSeconds: 0 }, platform: { taskImage: BUSYBOX } },
    });
    token = await jar.token({ user: 'admin', ttl: '365d' });
  });
  afterAll(async () => {
    engine?.close();
    await jar?.close();
  });

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async function call(method: string, path: string, body?: object): Promise<any> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${jar.url}/api/2.2${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  async function put(path: string, text: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ path, format: 'RAW', content: base64(text), overwrite: true });
    const answer = await fetch(`${jar.url}/api/2.0/workspace/import`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
  }

  const ended = (run_id: number) =>
    eventually(async () => {
      const run = await call('GET', `/jobs/runs/get?run_id=${run_id}`);
      expect(run.status.state).toBe('TERMINATED');
      return run;
    });

  const containers = async (): Promise<readonly unknown[]> =>
    (
      await engine.json<readonly Listed[]>(
        'GET',
        `/containers/json?all=true&filters=${encodeURIComponent(filters({ label: ['cloudjar.jar'] }))}`,
      )
    ).filter(({ Labels }) => Labels['cloudjar.jar']?.endsWith('.platform'));

  it('a script runs with its parameters, passes a value on, and fails with its last line of output', async () => {
    await put('/Shared/first.sh', 'echo "for $1"; echo \'::cloudjar::value {"key":"rows","value":7}\'\n');
    await put('/Shared/second.sh', '[ "$1" = 7 ] || exit 9; echo "no such table" >&2; exit 3\n');
    const { run_id } = await call('POST', '/jobs/runs/submit', {
      tasks: [
        { task_key: 'first', spark_python_task: { python_file: '/Shared/first.sh', parameters: ['Ada'] } },
        {
          task_key: 'second',
          depends_on: [{ task_key: 'first' }],
          spark_python_task: { python_file: '/Shared/second.sh', parameters: ['{{tasks.first.values.rows}}'] },
        },
      ],
    });
    const run = await ended(run_id);
    expect(run.state).toMatchObject({
      result_state: 'FAILED',
      state_message: 'Task second failed with message: no such table.',
    });
    const output = await call('GET', `/jobs/runs/get-output?run_id=${run.tasks[0].run_id}`);
    expect(output.logs).toBe('for Ada\n');
    await eventually(async () => expect(await containers()).toEqual([]));
  });

  it('an image that the compute of a task names runs its command; a canceled one is stopped and removed', async () => {
    await put('/Shared/long.sh', 'sleep 1000\n');
    const new_cluster = {
      spark_version: '16.4.x-scala2.12',
      node_type_id: 'Standard_DS3_v2',
      num_workers: 0,
      docker_image: { url: BUSYBOX },
    };
    const { run_id } = await call('POST', '/jobs/runs/submit', {
      tasks: [{ task_key: 'long', spark_python_task: { python_file: '/Shared/long.sh' }, new_cluster }],
    });
    // The time that the cluster takes to start.
    await jar.clock.advance('4m');
    await eventually(async () => {
      const run = await call('GET', `/jobs/runs/get?run_id=${run_id}`);
      expect(run.tasks[0].state.life_cycle_state).toBe('RUNNING');
    });
    await call('POST', '/jobs/runs/cancel', { run_id });
    const run = await ended(run_id);
    expect(run.state.result_state).toBe('CANCELED');
    await eventually(async () => expect(await containers()).toEqual([]));
  });

  it('a task whose cluster is terminated is stopped, and its next attempt gets another cluster', async () => {
    await put('/Shared/long.sh', 'sleep 1000\n');
    const new_cluster = {
      spark_version: '16.4.x-scala2.12',
      node_type_id: 'Standard_DS3_v2',
      num_workers: 0,
      docker_image: { url: BUSYBOX },
    };
    const { run_id } = await call('POST', '/jobs/runs/submit', {
      tasks: [{ task_key: 'long', max_retries: 1, spark_python_task: { python_file: '/Shared/long.sh' }, new_cluster }],
    });
    const running = (attempt: number) =>
      eventually(async () => {
        const [task] = (await call('GET', `/jobs/runs/get?run_id=${run_id}`)).tasks;
        expect(task).toMatchObject({ attempt_number: attempt, state: { life_cycle_state: 'RUNNING' } });
        return task.cluster_instance.cluster_id as string;
      });
    await jar.clock.advance('4m');
    const first = await running(0);
    await call('POST', '/../2.1/clusters/delete', { cluster_id: first });
    await eventually(async () => {
      const [task] = (await call('GET', `/jobs/runs/get?run_id=${run_id}`)).tasks;
      expect(task).toMatchObject({ attempt_number: 1, state: { life_cycle_state: 'PENDING' } });
    });
    await jar.clock.advance('5m');
    const second = await running(1);
    expect(second).not.toBe(first);
    await call('POST', '/../2.1/clusters/delete', { cluster_id: second });
    const run = await ended(run_id);
    expect(run.tasks[0]).toMatchObject({
      state: { life_cycle_state: 'INTERNAL_ERROR', result_state: 'FAILED' },
      status: { termination_details: { code: 'CLUSTER_TERMINATED_BY_USER' } },
    });
    await eventually(async () => expect(await containers()).toEqual([]));
  });

  it('a task that runs for longer than it may is stopped as timed out', async () => {
    await put('/Shared/endless.sh', 'while true; do sleep 1; done\n');
    const { run_id } = await call('POST', '/jobs/runs/submit', {
      tasks: [{ task_key: 'endless', timeout_seconds: 60, spark_python_task: { python_file: '/Shared/endless.sh' } }],
    });
    await eventually(async () => {
      const run = await call('GET', `/jobs/runs/get?run_id=${run_id}`);
      expect(run.tasks[0].state.life_cycle_state).toBe('RUNNING');
    });
    await jar.clock.advance('2m');
    const run = await ended(run_id);
    expect(run.tasks[0].state.result_state).toBe('TIMEDOUT');
  });

  it('Python files and notebooks run where the engine has an image with Python, with widgets, task values and an exit', async () => {
    await importPythonImage(engine, 'local/python');
    const second = await startJar({
      engine: 'docker',
      clock: 'shifted',
      settings: { containers: { socket, stopGraceSeconds: 0 } },
    });
    const first = jar;
    jar = second;
    token = await jar.token({ user: 'admin', ttl: '365d' });
    try {
      await put(
        '/Shared/count.py',
        'import sys\nprint("rows of", sys.argv[1])\ndbutils.jobs.taskValues.set("rows", 40 + 2)\n',
      );
      const notebook = [
        '# Databricks notebook source',
        'dbutils.widgets.text("day", "none")',
        'rows = int(dbutils.widgets.get("rows"))',
        '',
        '# COMMAND ----------',
        '',
        '# MAGIC %sh',
        '# MAGIC echo from the shell',
        '',
        '# COMMAND ----------',
        '',
        'dbutils.notebook.exit(f"{rows} rows on {dbutils.widgets.get(\'day\')}")',
      ].join('\n');
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = { path: '/Shared/report', format: 'SOURCE', language: 'PYTHON', content: base64(notebook) };
      await fetch(`${jar.url}/api/2.0/workspace/import`, { method: 'POST', headers, body: JSON.stringify(body) });
      const { run_id } = await call('POST', '/jobs/runs/submit', {
        tasks: [
          { task_key: 'count', spark_python_task: { python_file: '/Shared/count.py', parameters: ['May'] } },
          {
            task_key: 'report',
            depends_on: [{ task_key: 'count' }],
            notebook_task: {
              notebook_path: '/Shared/report',
              base_parameters: { rows: '{{tasks.count.values.rows}}', day: 'Monday' },
            },
          },
        ],
      });
      const run = await ended(run_id);
      expect(run.state.state_message).toBe('');
      const [count, report] = await Promise.all(
        run.tasks.map((each: { run_id: number }) => call('GET', `/jobs/runs/get-output?run_id=${each.run_id}`)),
      );
      expect(count.logs).toBe('rows of May\n');
      expect(report.notebook_output.result).toBe('42 rows on Monday');
    } finally {
      await second.close();
      jar = first;
    }
  });
});
