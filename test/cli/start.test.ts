import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { jarFileName } from '../../src/cli/jar-file.ts';
import { adminKey, MAIN, type StartedJar, spawnCli, startCli, temporaryFolder } from './cli.ts';

test('start prints the ready line and all addresses, and the jar answers', async () => {
  const jar = await startCli();
  await jar.printed(/\n {2}try .*\n/);
  const lines = jar.stdout().split('\n');
  expect(lines[0]).toBe(`cloudjar ready on ${jar.url}`);
  expect(jar.stdout()).toMatch(/^ {2}https {4}https:\/\/localhost:\d+$/m);
  expect(jar.stdout()).toContain(`  ca       ${jar.folder}/ca.pem`);
  expect(jar.stdout()).toContain(`  state    ${jar.folder}\n`);
  expect(jar.stdout()).toMatch(/^ {2}clock {4}shifted/m);
  const [, page = ''] = /^ {2}mail {5}smtp:\/\/127\.0\.0\.1:\d+, page (\S+)$/m.exec(jar.stdout()) ?? [];
  expect(page).toBe(`${jar.url}/mail/`);
  expect(jar.stderr()).toBe('');
  const health = await fetch(`${jar.url}/_jar/health`);
  expect(await health.json()).toMatchObject({ status: 'ready', store: 'sqlite', clock: 'shifted' });
});

test('the request that start prints works when it is pasted', async () => {
  const jar = await startCli();
  const [, tokenCommand = '', url = ''] = await jar.printed(
    /try {6}curl -H "Authorization: Bearer \$\((.*)\)" "(.*)"\n/,
  );
  const command = tokenCommand.replace('npx cloudjar', `"${process.execPath}" "${MAIN}"`);
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  const answer = await fetch(url, { headers: { authorization: `Bearer ${stdout.trim()}` } });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ value: [{ displayName: 'Cloudjar' }] });
});

test('with --json each line of start is one object, from ready to stopped', async () => {
  const folder = temporaryFolder();
  const flags = ['--port', '0', '--https-port', '0', '--data', folder, '--memory', '--clock', 'virtual'];
  const jar = spawnCli(['start', '--json', ...flags]);
  const [line = ''] = await jar.printed(/.*\n/);
  expect(JSON.parse(line)).toMatchObject({
    event: 'ready',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    httpsUrl: expect.stringMatching(/^https:\/\/localhost:\d+$/),
    ca: join(folder, 'ca.pem'),
    store: 'memory',
    data: folder,
    clock: 'virtual',
    pid: jar.pid,
  });
  jar.kill('SIGTERM');
  const { code, stdout } = await jar.result;
  const events = stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((each) => JSON.parse(each));
  expect(events).toEqual([{ event: 'stopping', signal: 'SIGTERM' }, { event: 'stopped' }]);
  expect(code).toBe(0);
});

test('settings come from the environment and from cloudjar.config.json, and a flag wins', async () => {
  const cwd = temporaryFolder();
  const env = {
    CLOUDJAR_PORT: '0',
    CLOUDJAR_HTTPS_PORT: '0',
    CLOUDJAR_CLOCK: 'virtual',
    CLOUDJAR_DATA: join(cwd, 'other'),
  };
  const jar = spawnCli(['start', '--clock', 'system', '--memory=true'], { cwd, env });
  await jar.printed(/try/);
  expect(jar.stdout()).toMatch(/clock {4}system/);
  expect(jar.stdout()).toContain(`state    in memory; keys and certificates in ${join(cwd, 'other')}`);
  // The other commands read the same settings, so they need no option.
  expect(jar.stdout()).toContain('  token    npx cloudjar token\n');
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} ends the jar in order: status 0, and the file that says where it is goes with it`, async () => {
    const jar = await startCli();
    const file = join(jar.folder, jarFileName(jar.pid));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      pid: jar.pid,
      url: jar.url,
      httpsUrl: expect.stringMatching(/^https:/),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      startedAt: expect.stringMatching(/Z$/),
    });
    jar.kill(signal);
    expect(await jar.result).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(file)).toBe(false);
  });
}

test('a second signal does not wait for the request that holds up the first', async () => {
  const jar = await startCli();
  await beginRequest(jar);
  let ended = false;
  void jar.result.then(() => {
    ended = true;
  });
  jar.kill('SIGTERM');
  // Signals in quick succession count as one, so the signal is sent until the jar ends.
  while (!ended) {
    await pause(50);
    jar.kill('SIGTERM');
  }
  expect((await jar.result).code).toBe(143);
});

test('a signal lets the request in flight finish, and does not wait for its client to hang up', async () => {
  const jar = await startCli();
  const socket = await beginRequest(jar);
  jar.kill('SIGTERM');
  const { hostname, port } = new URL(jar.url);
  await until(async () => !(await takesConnections(hostname, Number(port))));
  socket.write(BODY);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 OK/);
  const { code, stderr } = await jar.result;
  expect(code).toBe(0);
  expect(stderr).not.toContain('cut off');
});

test('what was stored is there after a restart, and so are the keys', async () => {
  const first = await startCli();
  const key = adminKey(first.folder);
  const group = `${first.url}/subscriptions/10000000-0000-4000-8000-0000000000f1/resourcegroups/kept?api-version=2022-12-01`;
  const token = await tokenOf(first.url, key);
  const put = await fetch(group, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ location: 'westeurope' }),
  });
  expect(put.status).toBe(201);
  first.kill('SIGTERM');
  await first.result;
  const second = await startCli([], { folder: first.folder });
  expect(adminKey(second.folder)).toBe(key);
  const again = await fetch(group.replace(first.url, second.url), { headers: { authorization: `Bearer ${token}` } });
  expect(again.status).toBe(200);
});

test('--clock-start on a folder whose virtual clock has a time is told to have no effect', async () => {
  const virtual = ['--clock', 'virtual', '--clock-start'];
  const first = await startCli([...virtual, '2026-01-31T09:00:00Z']);
  first.kill('SIGTERM');
  expect(await first.result).toMatchObject({ code: 0, stderr: '' });
  const second = await startCli([...virtual, '2030-01-01T00:00:00Z'], { folder: first.folder });
  second.kill('SIGTERM');
  const { stderr, stdout } = await second.result;
  expect(stdout).toContain('now 2026-01-31T09:00:00.000Z');
  expect(JSON.parse(stderr)).toMatchObject({
    level: 'warn',
    msg: 'the virtual clock continues from its stored time 2026-01-31T09:00:00.000Z; the clock start applies only to a jar without a stored time',
  });
});

test('a key that others can read is named once, with what to do', async () => {
  const first = await startCli();
  first.kill('SIGTERM');
  await first.result;
  const paths = ['secret.key', 'admin.key'].map((name) => join(first.folder, name));
  for (const path of paths) chmodSync(path, 0o644);
  const second = await startCli([], { folder: first.folder });
  second.kill('SIGTERM');
  const lines = (await second.result).stderr.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(
    paths.map((path) => `other users of this machine can read ${path}; run chmod 600 ${path}`),
  );
});

async function tokenOf(url: string, key: string): Promise<string> {
  const answer = await fetch(`${url}/_jar/tokens`, { method: 'POST', headers: { authorization: `Bearer ${key}` } });
  return ((await answer.json()) as { access_token: string }).access_token;
}

const BODY = JSON.stringify({ user: 'licensed' });

/** A request whose head was read and whose body is pending, on a keep-alive connection. */
async function beginRequest({ url, folder }: StartedJar): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.on('error', () => {});
  const head = [
    'POST /_jar/tokens HTTP/1.1',
    'host: localhost',
    `authorization: Bearer ${adminKey(folder)}`,
    'content-type: application/json',
    `content-length: ${BODY.length}`,
    'expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  // The jar has the request when it asks for the body.
  await once(socket, 'data');
  return socket;
}

function takesConnections(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    onTestFinished(() => void socket.destroy());
  });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(20);
}
