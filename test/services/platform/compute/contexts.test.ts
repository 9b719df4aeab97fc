import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, control, good, person } from '../support.ts';
import { createCluster, getCluster, patient, runningCluster } from './support.ts';

const OLD = '/api/1.2';

const open = (ask: Ask, clusterId: string, language = 'python') =>
  ask('POST', `${OLD}/contexts/create`, { clusterId, language });

onAnyStore('data platform: execution contexts and commands', (bench) => {
  beforeEach(() => bench.jar.reset());

  interface Session {
    readonly clusterId: string;
    readonly contextId: string;
  }

  const session = async (ask: Ask, spec: object = {}): Promise<Session> => {
    const clusterId = await runningCluster(bench, ask, spec);
    return { clusterId, contextId: (await good(open(ask, clusterId))).id };
  };
  const execute = async (ask: Ask, where: Session, command: string, language = 'python'): Promise<string> =>
    (await good(ask('POST', `${OLD}/commands/execute`, { ...where, language, command }))).id;
  const status = (ask: Ask, { clusterId, contextId }: Session, commandId: string) =>
    good(ask('GET', `${OLD}/commands/status?clusterId=${clusterId}&contextId=${contextId}&commandId=${commandId}`));
  /** After all work that is due now. */
  const settled = () => bench.jar.clock.advance(0);

  it('commands of a context run one after another, by the clock, and keep the files of the driver', async () => {
    const ask = await person(bench);
    const where = await session(ask);
    const first = await execute(ask, where, '%sh echo one > /tmp/a; sleep 60; echo done');
    const second = await execute(ask, where, '%sh cat /tmp/a');
    await settled();
    expect((await status(ask, where, first)).status).toBe('Running');
    expect(await status(ask, where, second)).toEqual({ id: second, status: 'Queued', results: null });
    await bench.jar.clock.advance('59s');
    expect((await status(ask, where, first)).status).toBe('Running');
    await bench.jar.clock.advance('1s');
    expect(await status(ask, where, first)).toMatchObject({
      status: 'Finished',
      results: { resultType: 'text', data: 'done\n' },
    });
    expect(await status(ask, where, second)).toMatchObject({ status: 'Finished', results: { data: 'one\n' } });
  });

  it('literals are printed, errors raised and rows selected; anything else needs an image and says so', async () => {
    const ask = await person(bench);
    const where = await session(ask);
    for (const [language, command, results] of [
      ['python', 'print("a", 1)\n# comment\nprint(\'b\')', { resultType: 'text', data: 'a 1\nb' }],
      ['python', 'raise ValueError("wrong")', { resultType: 'error', cause: 'ValueError: wrong' }],
      [
        'python',
        'spark.range(3).count()',
        { resultType: 'error', cause: expect.stringContaining('NotSimulatedError') },
      ],
      ['scala', 'println("x")', { resultType: 'text', data: 'x' }],
      ['r', 'print("x")', { resultType: 'text', data: 'x' }],
      ['sql', "SELECT 1 AS one, 'a,b' AS two", { resultType: 'table', data: [[1, 'a,b']] }],
      ['sql', 'SELECT * FROM t', { resultType: 'error', cause: expect.stringContaining('TABLE_OR_VIEW_NOT_FOUND') }],
      ['sql', "CREATE TABLE t AS SELECT 1 AS id, 'a' AS name, true AS flag", { resultType: 'table', data: [[1, 1]] }],
      ['sql', "INSERT INTO t VALUES (2, 'b', NULL)", { resultType: 'table', data: [[1, 1]] }],
      ['sql', 'CREATE TABLE t (a INT)', { resultType: 'error', cause: expect.stringContaining('42P07') }],
      [
        'python',
        '%sql\nSELECT * FROM t ORDER BY id',
        {
          resultType: 'table',
          data: [
            [1, 'a', true],
            [2, 'b', null],
          ],
        },
      ],
      ['sql', 'DROP TABLE t', { resultType: 'table', data: [] }],
      ['sql', 'SELECT 1 / 0', { resultType: 'error', cause: expect.stringContaining('DIVIDE_BY_ZERO') }],
      [
        'sql',
        'SELECT id, id * 1.5 AS more FROM range(2000) ORDER BY id DESC',
        {
          resultType: 'table',
          truncated: true,
          schema: [
            { name: 'id', type: '"long"', metadata: '{}' },
            { name: 'more', type: '"decimal(23,1)"', metadata: '{}' },
          ],
        },
      ],
      ['python', '%sql\nSELECT 2', { resultType: 'table', data: [[2]] }],
      ['python', 'df.count()\n# cloudjar: echo 7', { resultType: 'text', data: '7\n' }],
      ['python', '%sh exit 4', { resultType: 'error', summary: expect.stringContaining('status 4') }],
      ['python', '%sh if then', { resultType: 'error' }],
    ] as const) {
      const id = await execute(ask, where, command, language);
      await settled();
      expect(await status(ask, where, id), command).toMatchObject({ status: 'Finished', results });
    }
  });

  it('a command can be cancelled, before it runs and while it does, and the next one goes on', async () => {
    const ask = await person(bench);
    const where = await session(ask, { autotermination_minutes: 10 });
    const endless = await execute(ask, where, '%sh while true; do sleep 1; done');
    const waiting = await execute(ask, where, 'print("never")');
    const last = await execute(ask, where, 'print("last")');
    await bench.jar.clock.advance('1d');
    expect((await status(ask, where, endless)).status).toBe('Running');
    expect((await getCluster(ask, where.clusterId)).state).toBe('RUNNING');
    const cancel = (commandId: string) => ask('POST', `${OLD}/commands/cancel`, { ...where, commandId });
    await good(cancel(waiting));
    expect(await good(cancel(endless))).toEqual({ id: endless });
    await settled();
    expect((await status(ask, where, endless)).status).toBe('Cancelled');
    expect((await status(ask, where, waiting)).status).toBe('Cancelled');
    expect(await status(ask, where, last)).toMatchObject({ status: 'Finished', results: { data: 'last' } });
    await good(cancel(last));
    expect((await status(ask, where, last)).status).toBe('Finished');
    await bench.jar.clock.advance('10m');
    expect((await getCluster(ask, where.clusterId)).state).toBe('TERMINATING');
  });

  it('commands of many contexts run side by side, and the cluster is idle once all are over', async () => {
    const ask = await person(bench);
    const clusterId = await runningCluster(bench, ask, { autotermination_minutes: 10 });
    const sessions = await Promise.all(
      Array.from({ length: 20 }, async () => ({
        clusterId,
        contextId: (await good(open(ask, clusterId))).id as string,
      })),
    );
    const started = await Promise.all(
      sessions.flatMap((where) =>
        [1, 2, 3].map(async (n) => ({ where, id: await execute(ask, where, `%sh sleep ${n}; echo ${n}`) })),
      ),
    );
    await bench.jar.clock.advance('6s');
    const statuses = await Promise.all(started.map(async ({ where, id }) => (await status(ask, where, id)).status));
    expect(statuses.filter((each) => each !== 'Finished')).toEqual([]);
    await bench.jar.clock.advance('9m59s');
    expect((await getCluster(ask, clusterId)).state).toBe('RUNNING');
    await bench.jar.clock.advance('1s');
    expect((await getCluster(ask, clusterId)).state).toBe('TERMINATING');
  });

  it('a cluster has at most 145 contexts, however many are asked for at once; destroy, restart and termination free them', async () => {
    const ask = patient(await person(bench));
    const id = await runningCluster(bench, ask);
    const replies = await Promise.all(Array.from({ length: 150 }, () => open(ask, id)));
    const made = replies.filter(({ status: code }) => code === 200);
    expect(made).toHaveLength(145);
    const refused = replies.find(({ status: code }) => code !== 200);
    expect(refused?.status).toBe(400);
    expect(refused?.body.error).toMatch(
      /^ContextLimitExceeded: Too many execution contexts are open right now\.\(Limit set to 145\)/,
    );
    await good(ask('POST', `${OLD}/contexts/destroy`, { clusterId: id, contextId: made[0]?.body.id }));
    await good(open(ask, id));
    expect((await open(ask, id)).status).toBe(400);
    const used = async (): Promise<number> => {
      const { body } = await control(bench, 'GET', 'limits?name=platform.cluster-contexts');
      const row = body.value.find(({ name }: { name: string }) => name === 'platform.cluster-contexts');
      return row.use[0]?.used ?? 0;
    };
    expect(await used()).toBe(145);
    await good(ask('POST', '/clusters/restart', { cluster_id: id }));
    await bench.jar.clock.advance('2m');
    expect(await used()).toBe(0);
    expect((await ask('GET', `${OLD}/contexts/status?clusterId=${id}&contextId=${made[1]?.body.id}`)).body).toEqual({
      error: `ContextNotFound: Execution context ${made[1]?.body.id} was not found on cluster ${id}`,
    });
    await good(open(ask, id));
    await good(ask('POST', '/clusters/delete', { cluster_id: id }));
    expect(await used()).toBe(0);
  });

  it('errors have the format of version 1.2', async () => {
    const ask = await person(bench);
    const pending = await createCluster(ask);
    const notReady = await open(ask, pending);
    expect({ status: notReady.status, body: notReady.body }).toEqual({
      status: 500,
      body: { error: 'ClusterNotReadyException: Cluster not in running state' },
    });
    const where = await session(ask);
    for (const [path, body, status, error] of [
      [
        'contexts/create',
        { language: 'python' },
        400,
        'IllegalArgumentException: requirement failed: missing clusterId',
      ],
      [
        'contexts/create',
        { clusterId: where.clusterId, language: 'cobol' },
        400,
        'IllegalArgumentException: unknown language',
      ],
      [
        'contexts/create',
        { clusterId: 'none', language: 'r' },
        400,
        'INVALID_PARAMETER_VALUE: Cluster none does not exist',
      ],
      ['contexts/destroy', { ...where, contextId: '1' }, 404, 'ContextNotFound'],
      [
        'commands/execute',
        { ...where, language: 'r' },
        400,
        'IllegalArgumentException: requirement failed: missing command',
      ],
      ['commands/cancel', { ...where, commandId: '1' }, 404, 'CommandNotFoundException'],
    ] as const) {
      const reply = await ask('POST', `${OLD}/${path}`, body);
      expect({ status: reply.status, error: reply.body.error }, path).toEqual({
        status,
        error: expect.stringContaining(error),
      });
    }
  });

  it('a command may be the file of a form', async () => {
    const ask = await person(bench);
    const token = await bench.jar.token({ user: 'admin', ttl: '3650d' });
    const where = await session(ask);
    const send = async (body: FormData | string, type?: string) => {
      const headers = { authorization: `Bearer ${token}`, ...(type !== undefined && { 'content-type': type }) };
      const reply = await fetch(`${bench.jar.url}${OLD}/commands/execute`, { method: 'POST', headers, body });
      return { status: reply.status, body: (await reply.json()) as { id: string; error: string } };
    };
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...where, language: 'python' })) form.set(name, value);
    form.set('command', new Blob(['print("from a file")']), 'command.py');
    const sent = await send(form);
    expect(sent.status).toBe(200);
    await settled();
    expect(await status(ask, where, sent.body.id)).toMatchObject({ results: { data: 'from a file' } });
    form.delete('command');
    expect(await send(form)).toEqual({
      status: 400,
      body: { error: 'IllegalArgumentException: requirement failed: missing command' },
    });
    expect((await send('{"clusterId":', 'application/json')).body.error).toContain('not valid JSON');
    expect((await send('[]', 'application/json')).status).toBe(400);
    expect((await send('', 'application/json')).status).toBe(400);
    expect((await send('x'.repeat(9_000_000), 'application/json')).status).toBe(400);
  });
});
