import { expect, it, onTestFinished } from 'vitest';
import { startJar } from '../../../src/testing/index.ts';
import { type Bench, onBothStores, type Reply, withJar } from '../../support/jars.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';
import { SocketClient, until } from '../../support/web-socket.ts';
import { container, groupBody, groupPath, makeResourceGroup, putGroup } from './small-groups.ts';

const sh = (script: string) => ({ command: ['/bin/sh', '-c', script] });
const path = (group: string, action: string, name = 'main'): string =>
  groupPath(group, `/containers/${name}/${action}`);

async function run(bench: Bench, group: string, main: object, more: Record<string, unknown> = {}): Promise<Reply> {
  await makeResourceGroup(bench);
  return putGroup(bench, group, groupBody([container('main', 'busybox', { ...main })], more));
}

const exec = (
  bench: Bench,
  group: string,
  body: unknown = { command: '/bin/sh', terminalSize: { rows: 12, cols: 80 } },
) => bench.call('POST', path(group, 'exec'), { body });
const attach = (bench: Bench, group: string) => bench.call('POST', path(group, 'attach'));

onBothStores('logs of a container', (bench) => {
  const logs = (group: string, query = '', name = 'main') => bench.call('GET', path(group, 'logs', name) + query);

  it('are what it wrote, or the last lines of that, with the times if wanted', async () => {
    await run(bench, 'talks', sh('echo one; echo two >&2; echo "$HIDDEN"; sleep 60; echo later; sleep infinity'));
    expect((await logs('talks')).body).toEqual({ content: 'one\ntwo\n\n' });
    expect((await logs('talks', '&tail=2')).body).toEqual({ content: 'two\n\n' });
    expect((await logs('talks', '&tail=0')).body).toEqual({ content: '' });
    expect((await logs('TALKS', '&TAIL=1&timestamps=True', 'MAIN')).body.content).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z \n$/,
    );
    await bench.jar.clock.advance('60s');
    expect((await logs('talks', '&tail=1')).body).toEqual({ content: 'later\n' });
  });

  it('are there for init containers, and after a stop in part', async () => {
    const initContainers = [{ name: 'first', properties: { image: 'busybox', ...sh('echo begun') } }];
    await run(bench, 'stops', sh('for i in $(seq 2000); do echo line $i; done; sleep infinity'), { initContainers });
    expect((await logs('stops', '', 'first')).body).toEqual({ content: 'begun\n' });
    expect((await logs('stops')).body.content.split('\n')).toHaveLength(2001);
    await bench.call('POST', groupPath('stops', '/stop'));
    await bench.jar.settled();
    const kept = (await logs('stops')).body.content as string;
    expect(kept.endsWith('line 1999\nline 2000\n')).toBe(true);
    expect(kept.split('\n')).toHaveLength(1001);
    expect((await logs('stops', '&tail=1')).body).toEqual({ content: 'line 2000\n' });
    expect((await logs('stops', '&tail=5000')).body.content).toBe(kept);
    expect((await logs('stops', '', 'first')).body).toEqual({ content: 'begun\n' });
  });

  it('are valid text whatever was written', async () => {
    await run(bench, 'bytes', sh("printf 'a\\tb'; echo 'ü€😀'; sleep infinity"));
    expect((await logs('bytes')).body).toEqual({ content: 'a\tbü€😀\n' });
  });

  it('are cut between characters after a stop, and their empty lines count', async () => {
    await run(bench, 'cut', sh('for i in $(seq 900); do echo "ü€😀 ü€😀 $i"; done; sleep infinity'));
    await run(bench, 'gap', sh('echo; echo last; sleep infinity'));
    for (const group of ['cut', 'gap']) await bench.call('POST', groupPath(group, '/stop'));
    await bench.jar.settled();
    const { content } = (await logs('cut')).body;
    expect(Buffer.byteLength(content)).toBeGreaterThan(16 * 1024 - 4);
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(16 * 1024);
    expect(content).not.toContain('\ufffd');
    expect((await logs('gap', '&tail=3')).body).toEqual({ content: '\nlast\n' });
  });

  it('are refused with a reason', async () => {
    await run(bench, 'quiet', { image: 'simulated/missing' });
    const codes = async (reply: Promise<Reply>) => {
      const { status, body } = await reply;
      return [status, body.error.code, body.error.target];
    };
    expect(await codes(logs('quiet'))).toEqual([404, 'ContainerLogNotAvailable', undefined]);
    expect(await codes(logs('quiet', '', 'other'))).toEqual([404, 'ContainerNotFound', undefined]);
    expect(await codes(logs('absent'))).toEqual([404, 'ResourceNotFound', undefined]);
    for (const tail of ['-1', 'x', '1.5', '2147483648']) {
      expect(await codes(logs('quiet', `&tail=${tail}`))).toEqual([400, 'InvalidParameter', 'tail']);
    }
    expect(await codes(logs('quiet', '&timestamps=maybe'))).toEqual([400, 'InvalidParameter', 'timestamps']);
    const token = await bench.jar.token({ user: 'other' });
    expect((await bench.call('GET', path('quiet', 'logs'), { token })).status).toBe(401);
  });

  it('are refused while the group is being made', async () => {
    await run(bench, 'slow', { image: 'simulated/slow-pull:10m' });
    const { status, body } = await logs('slow');
    expect([status, body.error.code]).toEqual([
      expect.toBeOneOf([404, 409]),
      expect.stringMatching(/Transitioning|NotAvailable/),
    ]);
  });
});

onBothStores('a terminal in a container', (bench) => {
  const open = async (group: string, options = {}): Promise<SocketClient> => {
    const { webSocketUri, password } = (await exec(bench, group)).body;
    return new SocketClient(webSocketUri, options).say(password);
  };

  it('is opened with the password of its session, on the port that was asked', async () => {
    await run(bench, 'box', { environmentVariables: [{ name: 'KEY', secureValue: 'hidden' }] });
    const { status, body } = await exec(bench, 'box');
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['password', 'webSocketUri']);
    expect(body.webSocketUri).toMatch(
      /^ws:\/\/127\.0\.0\.1:\d+\/subscriptions\/.*\/containers\/main\/execstream\/sessionId\/[0-9a-f-]{36}\?api-version=1\.0&rows=12&cols=80$/,
    );
    const client = await new SocketClient(body.webSocketUri).say(body.password);
    await client.told('/ # ');
    await client.say('echo "$KEY $((6 * 7))"\r');
    await client.told('hidden 42\r\n/ # ');
    expect(client.binary).toBeGreaterThan(0);
    await client.say(Buffer.from('exit 5\r'));
    expect(await client.end()).toEqual({ code: 1000, reason: 'exit code 5' });

    const secure = await bench.call('POST', bench.jar.httpsUrl + path('box', 'exec'), {
      body: { command: 'hostname' },
    });
    expect(secure.body.webSocketUri).toMatch(/^wss:\/\/localhost:\d+\/.*&rows=24&cols=80$/);
    const headers = { authorization: `Bearer ${secure.body.password}` };
    const one = new SocketClient(secure.body.webSocketUri, { ca: bench.jar.ca, headers });
    expect(await one.end()).toEqual({ code: 1000, reason: 'exit code 0' });
    expect(one.text).toBe('box\r\n');
  });

  it('is closed to a wrong password, and its session works once', async () => {
    const { webSocketUri, password } = (await exec(bench, 'box')).body;
    const wrong = await new SocketClient(webSocketUri).say(`${password}x`);
    expect((await wrong.end()).code).toBe(1008);
    expect(wrong.text).toBe('');
    const racing = await Promise.all(Array.from({ length: 5 }, () => new SocketClient(webSocketUri).say(password)));
    await until(() => racing.filter(({ closed, refused }) => closed || refused).length === 4);
    const [winner] = racing.filter(({ closed, refused }) => !closed && !refused);
    await winner?.told('/ # ');
    expect((await new SocketClient(webSocketUri).refusal()).status).toBe(404);
    winner?.socket.close();
  });

  it('cannot be opened after a minute of the clock, nor with the address of another', async () => {
    const { webSocketUri, password } = (await exec(bench, 'box')).body;
    const waiting = new SocketClient(webSocketUri);
    await until(() => waiting.socket.readyState === waiting.socket.OPEN);
    await bench.jar.clock.advance('60s');
    expect((await new SocketClient(webSocketUri).refusal()).body).toContain('SessionNotFound');
    await waiting.say(password);
    expect((await waiting.end()).code).toBe(1008);
    const other = (await attach(bench, 'box')).body.webSocketUri.replace('logstream', 'execstream');
    expect((await new SocketClient(other).refusal()).status).toBe(404);
    const { webSocketUri: own } = (await exec(bench, 'box')).body;
    const elsewhere = [
      own.replace('/box/', '/other/'),
      own.replace('/main/', '/second/'),
      own.replace('/shop/', '/office/'),
      own.replace(/sessionId\/[^?]+/, 'sessionId/%00'),
      own.replace(/sessionId\/[^?]+/, `sessionId/${'a'.repeat(3000)}`),
    ];
    for (const address of elsewhere) {
      const { status, body } = await new SocketClient(address).refusal();
      expect([status, JSON.parse(body).error.code]).toEqual([404, 'SessionNotFound']);
    }
  });

  it('ends with its container: by its end, a stop, or the deletion of the group', async () => {
    await run(bench, 'short', sh('sleep 10; exit 1'), { restartPolicy: 'Never' });
    const short = await open('short');
    await short.told('/ # ');
    await bench.jar.clock.advance('10s');
    expect((await short.end()).code).toBe(1000);
    // As in the real service: a session can be created, but its stream ends without output.
    const late = await exec(bench, 'short');
    expect(late.status).toBe(200);
    const ended = await new SocketClient(late.body.webSocketUri).say(late.body.password);
    expect((await ended.end()).code).toBe(1011);
    const refused = await attach(bench, 'short');
    expect([refused.status, refused.body.error.code]).toEqual([409, 'ContainerNotRunning']);

    await run(bench, 'stopped', {});
    const stopped = await open('stopped');
    await stopped.told('/ # ');
    await bench.call('POST', groupPath('stopped', '/stop'));
    expect((await stopped.end()).code).toBe(1000);

    await run(bench, 'deleted', {});
    const deleted = await open('deleted');
    await deleted.told('/ # ');
    await bench.call('DELETE', groupPath('deleted'));
    expect((await deleted.end()).code).toBe(1000);
  });

  it('ends a container from inside, which comes back by its restart policy', async () => {
    await run(bench, 'killed', {});
    const client = await open('killed');
    await client.say('kill 1\r');
    expect((await client.end()).code).toBe(1000);
    await bench.jar.settled();
    await bench.jar.clock.advance('5m');
    const { body } = await bench.call('GET', groupPath('killed'));
    expect(body.properties.containers[0].properties.instanceView).toMatchObject({
      restartCount: 1,
      currentState: { state: 'Running' },
      previousState: { exitCode: 143 },
    });
  });

  it('takes what is typed in frames of any size up to a megabyte', async () => {
    const client = await open('box');
    await client.told('/ # ');
    await client.say(`echo ${'x'.repeat(3000)}\r`);
    await client.told(`${'x'.repeat(3000)}\r\n/ # `);
    await client.say(Buffer.alloc(1024 * 1024 + 1, 'y'));
    expect((await client.end()).code).toBe(1009);
  });

  it('is refused for a command with arguments, a size that is none, and to others', async () => {
    const mistakes = [
      [{ command: '/bin/sh -c ls' }, 'InvalidExecCommand', 'command'],
      [{ command: '' }, 'InvalidRequestContent', 'command'],
      [{}, 'InvalidRequestContent', 'command'],
      [{ command: 'sh', terminalSize: { rows: -1, cols: 1 } }, 'InvalidRequestContent', 'terminalSize.rows'],
      [{ command: 'sh', terminalSize: { rows: 1, cols: 'x' } }, 'InvalidRequestContent', 'terminalSize.cols'],
    ] as const;
    for (const [body, code, target] of mistakes) {
      const reply = await exec(bench, 'box', body);
      expect([reply.status, reply.body.error.code, reply.body.error.target]).toEqual([400, code, target]);
    }
    const token = await bench.jar.token({ user: 'other' });
    for (const action of ['exec', 'attach']) {
      const reply = await bench.call('POST', path('box', action), { body: { command: 'sh' }, token });
      expect(reply.status).toBe(401);
    }
    expect((await bench.call('POST', path('box', 'exec', 'none'), { body: { command: 'sh' } })).body.error.code).toBe(
      'ContainerNotFound',
    );
  });
});

onBothStores('a terminal in a jar that is reset', (bench) => {
  it('ends', async () => {
    await run(bench, 'box', {});
    const { webSocketUri, password } = (await exec(bench, 'box')).body;
    const client = await new SocketClient(webSocketUri).say(password);
    await client.told('/ # ');
    await bench.jar.reset();
    expect((await client.end()).code).toBe(1000);
  });
});

/** Advances the clock until the stream, which begins shortly after the handshake, has shown something. */
const begun = (bench: Bench, client: SocketClient): Promise<void> =>
  expect
    .poll(
      async () => {
        await bench.jar.clock.advance('1s');
        return client.text;
      },
      { timeout: 120_000, interval: 20 },
    )
    .toContain('tick');

onBothStores('the output of a container', (bench) => {
  const lines = (client: SocketClient): number => client.text.split('\r\n').length - 1;

  it('comes as it is written, from now on', async () => {
    await run(bench, 'ticks', sh('echo begun; while true; do echo "tick $(date +%S)"; sleep 1; done'));
    const { webSocketUri, password } = (await attach(bench, 'ticks')).body;
    expect(webSocketUri).toMatch(/\/logstream\/sessionId\/[0-9a-f-]{36}\?api-version=1\.0$/);
    const client = new SocketClient(webSocketUri, { headers: { authorization: password } });
    await begun(bench, client);
    expect(client.text).not.toContain('begun');
    await client.say('input that nobody reads');
    const before = lines(client);
    await bench.jar.clock.advance('2s');
    await until(() => lines(client) === before + 2);
    client.socket.close();
    await client.end();
  });

  it('ends with the process, its last words included', async () => {
    // Longer than the stream may take to begin.
    const script = 'for i in $(seq 120); do sleep 10; echo tick; done; echo last words; exit 3';
    await run(bench, 'ends', sh(script), { restartPolicy: 'Never' });
    const { webSocketUri, password } = (await attach(bench, 'ends')).body;
    const client = await new SocketClient(webSocketUri).say(`Bearer ${password}`);
    await begun(bench, client);
    await bench.jar.clock.advance('20m');
    expect((await client.end()).code).toBe(1000);
    expect(client.text).toMatch(/tick\r\nlast words\r\n$/);
  });
});

/** Tests that do not depend on the store. */
withJar((bench) => {
  it('a terminal applies backpressure to a client that does not read, and eventually shows everything', async () => {
    await run(bench, 'box', {});
    const { webSocketUri, password } = (await exec(bench, 'box')).body;
    const client = await new SocketClient(webSocketUri).say(password);
    await client.told('/ # ');
    client.socket.pause();
    const typed = `: ${'x'.repeat(1000)}\r`;
    for (let i = 0; i < 15_000; i++) client.socket.send(typed);
    client.socket.send('echo the $((40 + 2))nd\r');
    await expect.poll(() => client.socket.bufferedAmount).toBeGreaterThan(0);
    const warned: Error[] = [];
    const warn = (warning: Error) => warned.push(warning);
    process.on('warning', warn);
    client.socket.resume();
    await client.told('the 42nd\r\n');
    process.off('warning', warn);
    expect(warned).toEqual([]);
    client.socket.close();
  });

  it('the output of a container goes on however much there was to do meanwhile', async () => {
    await run(
      bench,
      'works',
      sh('while true; do for i in $(seq 1000); do :; done; echo "tick $(date +%s)"; sleep 1; done'),
    );
    const { webSocketUri, password } = (await attach(bench, 'works')).body;
    const client = new SocketClient(webSocketUri, { headers: { authorization: password } });
    await begun(bench, client);
    // More steps than a process may make between two syncs.
    await bench.jar.clock.advance('300s');
    await client.told(`tick ${Math.floor(bench.jar.clock.now().getTime() / 1000)}`);
    client.socket.close();
  });
});

it('works on any node of a jar, and ends when another node stops the group', async ({ skip }) => {
  const databaseUrl = await usePostgresDatabase({ skip }, 'streams');
  const secretKey = Buffer.alloc(32, 7).toString('base64url');
  const [first, second] = [await startJar({ databaseUrl, secretKey }), await startJar({ databaseUrl, secretKey })];
  onTestFinished(async () => {
    await Promise.all([first.close(), second.close()]);
  });
  const call: Bench['call'] = async (method, path, { body } = {}) => {
    const headers = { authorization: `Bearer ${await first.token()}`, 'content-type': 'application/json' };
    const response = await fetch(first.url + path, { method, headers, body: body ? JSON.stringify(body) : null });
    const text = await response.text();
    const json = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, text, body: json };
  };
  const bench = { jar: first, call };
  await run(bench, 'box', {});
  const { webSocketUri, password } = (await exec(bench, 'box')).body;
  const elsewhere = webSocketUri.replace(new URL(first.url).host, new URL(second.url).host);
  const client = await new SocketClient(elsewhere).say(password);
  await client.told('/ # ');
  expect((await new SocketClient(webSocketUri).refusal()).status).toBe(404);
  await call('POST', groupPath('box', '/stop'));
  expect((await client.end()).code).toBe(1000);
});
