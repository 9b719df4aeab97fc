import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { EngineClient, filters } from '../../../../src/kernel/engines/docker/client.ts';
import { startJar, type TestJar } from '../../../../src/testing/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { importPythonImage } from '../../../support/python-image.ts';
import { usePodman } from '../../../support/use-podman.ts';
import { PLAIN } from './support.ts';

interface Listed {
  readonly Id: string;
  readonly Labels: Readonly<Record<string, string>>;
}

describe('execution contexts on a real container engine', () => {
  let jar: TestJar;
  let engine: EngineClient;
  let token: string;
  let clusterId: string;

  beforeEach(async (context) => {
    if (jar) return;
    const socket = await usePodman(context);
    engine = new EngineClient({ kind: 'unix', path: socket, name: socket });
    await importPythonImage(engine, 'local/python');
    jar = await startJar({
      engine: 'docker',
      clock: 'shifted',
      settings: { containers: { socket, stopGraceSeconds: 0 } },
    });
    token = await jar.token({ user: 'admin', ttl: '365d' });
    clusterId = (await call('POST', '2.1/clusters/create', { ...PLAIN, spark_env_vars: { STAGE: 'test' } })).cluster_id;
    await jar.clock.advance('5m');
  });
  afterAll(async () => {
    engine?.close();
    await jar?.close();
  });

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async function call(method: string, path: string, body?: object): Promise<any> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${jar.url}/api/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  async function open(): Promise<string> {
    const { id } = await call('POST', '1.2/contexts/create', { clusterId, language: 'python' });
    await eventually(async () => {
      const { status } = await call('GET', `1.2/contexts/status?clusterId=${clusterId}&contextId=${id}`);
      expect(status).toBe('Running');
    });
    return id;
  }
  const begin = async (contextId: string, command: string, language = 'python'): Promise<string> =>
    (await call('POST', '1.2/commands/execute', { clusterId, contextId, language, command })).id;
  const status = (contextId: string, id: string) =>
    call('GET', `1.2/commands/status?clusterId=${clusterId}&contextId=${contextId}&commandId=${id}`);
  const reached = (contextId: string, id: string, ...wanted: string[]) =>
    eventually(async () => {
      const seen = await status(contextId, id);
      expect(wanted).toContain(seen.status);
      return seen;
    });
  const run = async (contextId: string, command: string, language = 'python') =>
    (await reached(contextId, await begin(contextId, command, language), 'Finished', 'Error')).results;

  const containers = async (): Promise<readonly Listed[]> =>
    (
      await engine.json<readonly Listed[]>(
        'GET',
        `/containers/json?all=true&filters=${encodeURIComponent(filters({ label: ['cloudjar.jar'] }))}`,
      )
    ).filter(({ Labels }) => Labels['cloudjar.jar']?.endsWith('.platform'));

  it('one interpreter keeps the variables of a context from command to command, apart from those of other contexts', async () => {
    const [first, second] = await Promise.all([open(), open()]);
    expect(await run(first, 'import os\ntotal = 40\ndef more(n):\n    return total + n')).toEqual({
      resultType: 'text',
      data: '',
    });
    expect(await run(first, 'more(2)')).toEqual({ resultType: 'text', data: '42' });
    expect(await run(first, 'print("a", total)\nprint(os.environ["STAGE"], os.environ["DB_CLUSTER_ID"])')).toEqual({
      resultType: 'text',
      data: `a 40\ntest ${clusterId}`,
    });
    expect(await run(second, 'total')).toMatchObject({
      resultType: 'error',
      summary: '<span class="ansi-red-fg">NameError</span>: name \'total\' is not defined',
      cause: expect.stringMatching(
        /^Traceback \(most recent call last\):\n {2}File "<command-1>", line 1, in <module>\n {4}total\n/,
      ),
    });
    expect(await run(second, 'while True print(1)')).toMatchObject({
      resultType: 'error',
      summary: expect.stringContaining('SyntaxError'),
    });
    expect(await run(second, '%sh echo $0 > /tmp/a; cat /tmp/a; exit 3')).toMatchObject({
      resultType: 'error',
      summary: expect.stringContaining('status 3'),
      cause: 'sh\n',
    });
    expect(await run(second, 'open("/tmp/a").read()')).toMatchObject({ data: "'sh\\n'" });
    expect(await run(second, 'SELECT 1 AS one', 'sql')).toMatchObject({ resultType: 'table', data: [[1]] });
    expect(await run(second, 'dbutils.notebook.exit("done")\nprint("never")')).toMatchObject({
      data: 'Notebook exited: done',
    });
    expect(await run(second, 'import sys\nsys.exit(2)')).toMatchObject({
      resultType: 'error',
      summary: expect.stringContaining('SystemExit'),
    });
    for (const contextId of [first, second]) await call('POST', '1.2/contexts/destroy', { clusterId, contextId });
    await eventually(async () => expect(await containers()).toEqual([]));
  });

  it('displayed tables and images are the result, and large ones are truncated', async () => {
    const context = await open();
    expect(await run(context, 'display([{"n": 1, "name": "a"}, {"n": 2, "x": float("nan")}])')).toEqual({
      resultType: 'table',
      data: [
        [1, 'a', null],
        [2, null, 'nan'],
      ],
      schema: [
        { name: 'n', type: '"long"', metadata: '{}' },
        { name: 'name', type: '"string"', metadata: '{}' },
        { name: 'x', type: '"string"', metadata: '{}' },
      ],
      truncated: false,
      isJsonSchema: true,
    });
    const rows = await run(context, 'display([(n, str(n)) for n in range(20000)])');
    expect(rows).toMatchObject({ resultType: 'table', truncated: true });
    expect(rows.data).toHaveLength(10_000);
    const png = 'b"\\x89PNG\\r\\n\\x1a\\nrest"';
    expect(await run(context, `display(${png})`)).toEqual({
      resultType: 'image',
      fileName: `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1').toString('base64')}`,
    });
    expect(await run(context, `display(${png})\ndisplay(${png})`)).toMatchObject({
      resultType: 'images',
      fileNames: [expect.stringMatching(/^data:image\/png/), expect.stringMatching(/^data:image\/png/)],
    });
    const long = await run(context, 'print("ü" * 3_000_000)');
    expect(long).toMatchObject({ resultType: 'text', truncated: true });
    expect(long.data).toHaveLength(1024 * 1024);
    const text = `x = "${'ü😀'.repeat(30_000)}"\nlen(x)`;
    expect(await run(context, text)).toMatchObject({ data: '60000' });
    await call('POST', '1.2/contexts/destroy', { clusterId, contextId: context });
  });

  it('a command that runs is interrupted, and the next one finds the variables', async () => {
    const context = await open();
    await run(context, 'kept = 1');
    const endless = await begin(context, 'import time\nkept = 2\nwhile True:\n    time.sleep(60)');
    const waiting = await begin(context, 'print("never")');
    const shell = await begin(context, '%sh sleep 1000');
    const last = await begin(context, 'kept');
    await reached(context, endless, 'Running');
    expect((await status(context, waiting)).status).toBe('Queued');
    const cancel = (commandId: string) =>
      call('POST', '1.2/commands/cancel', { clusterId, contextId: context, commandId });
    await cancel(waiting);
    await cancel(endless);
    await cancel(endless);
    expect(await reached(context, endless, 'Cancelled')).toMatchObject({ results: null });
    await reached(context, shell, 'Running');
    await cancel(shell);
    await reached(context, shell, 'Cancelled');
    expect(await reached(context, last, 'Finished')).toMatchObject({ results: { data: '2' } });
    expect((await status(context, waiting)).status).toBe('Cancelled');
    await call('POST', '1.2/contexts/destroy', { clusterId, contextId: context });
  });

  it('an interpreter that ends takes its context with it; so does a restart of the cluster', async () => {
    const context = await open();
    const fatal = await begin(context, 'import os\nos._exit(7)');
    const next = await begin(context, '1');
    expect(await reached(context, fatal, 'Error')).toMatchObject({
      results: { resultType: 'error', cause: expect.stringContaining('exit code 7') },
    });
    await reached(context, next, 'Error');
    expect((await call('GET', `1.2/contexts/status?clusterId=${clusterId}&contextId=${context}`)).status).toBe('Error');
    await reached(context, await begin(context, '2'), 'Error');
    const other = await open();
    await run(other, 'x = 1');
    await call('POST', '2.1/clusters/restart', { cluster_id: clusterId });
    await eventually(async () => expect(await containers()).toEqual([]));
    await expect(status(other, 'any')).rejects.toThrow('ContextNotFound');
    await jar.clock.advance('3m');
    expect(await run(await open(), 'x')).toMatchObject({ resultType: 'error' });
  });
});
