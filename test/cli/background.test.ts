import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { jarFileName } from '../../src/cli/jar-file.ts';
import { LogFile } from '../../src/cli/log-file.ts';
import { isSameProcess } from '../../src/cli/process-identity.ts';
import { eventually } from '../support/eventually.ts';
import { adminKey, type CliOptions, MAIN, runCli, spawnCli, startCli, temporaryFolder } from './cli.ts';

const PORTS = ['--port', '0', '--https-port', '0', '--smtp-port', '0'];

/** A project with a jar in the background, which is ended with the test in any case. */
async function background(args: readonly string[] = [], options: CliOptions = {}) {
  const cwd = options.cwd ?? temporaryFolder();
  const started = await spawnCli(['start', '-d', ...PORTS, ...args], { ...options, cwd }).result;
  onTestFinished(async () => void (await runCli(['stop', '--all'], { cwd })));
  const [, url = ''] = /^cloudjar ready on (\S+)/.exec(started.stdout) ?? [];
  return { cwd, url, started };
}

test('a jar is started in the background, looked at, read and ended, from a subfolder of the project too', async () => {
  const { cwd, url, started } = await background();
  const data = join(cwd, '.cloudjar');
  expect(started).toMatchObject({ code: 0, stderr: '' });
  expect(started.stdout).toContain(`  log      ${data}/jar.log (to read it: npx cloudjar logs)\n`);
  expect(started.stdout).toContain('  stop     npx cloudjar stop\n');
  expect((await fetch(`${url}/_jar/health`)).status).toBe(200);

  const below = join(cwd, 'src', 'deep');
  mkdirSync(below, { recursive: true });
  const status = await runCli(['status'], { cwd: below });
  expect(status).toMatchObject({ code: 0, stderr: '' });
  expect(status.stdout).toMatch(new RegExp(`^a jar runs on ${url}\n\n  version  \\d`));
  expect(status.stdout).toContain(`  state    sqlite, ${data}\n`);
  expect(status.stdout).toMatch(/^ {2}engine {3}\S/m);
  const { jars } = JSON.parse((await runCli(['--json', 'status'], { cwd: below })).stdout);
  expect(jars).toEqual([expect.objectContaining({ url, data, status: 'ready', troubles: [], clock: 'shifted' })]);

  const again = await spawnCli(['start', '--detach', '--clock', 'virtual'], { cwd: below }).result;
  expect(again).toEqual({
    code: 0,
    stdout: `cloudjar ready on ${url} (process ${jars[0].pid}, which was already running)\n`,
    stderr:
      'cloudjar: the options of this start have no effect on the running jar; to apply them, stop it first with cloudjar stop\n',
  });

  const link = await runCli(['open', 'requests', '--print'], { cwd: below });
  expect(link).toMatchObject({ code: 0, stderr: '' });
  expect(link.stdout).toMatch(new RegExp(`^${url}/console/requests#enter=[\\w-]{50,60}\n$`));
  const log = await runCli(['logs'], { cwd: below });
  expect(log.stdout).toContain(`the jar is ready on ${url}`);

  expect(await runCli(['stop'], { cwd: below })).toEqual({
    code: 0,
    stdout: `the jar on ${url} (process ${jars[0].pid}) has stopped\n`,
    stderr: '',
  });
  expect(isSameProcess({ pid: jars[0].pid })).toBe(false);
  expect(existsSync(join(data, 'jar.db-wal'))).toBe(false);
  expect(await runCli(['status'], { cwd: below })).toEqual({
    code: 3,
    stdout: `no jar runs in ${data}\n`,
    stderr: '',
  });
  expect(await runCli(['stop'], { cwd: below })).toEqual({ code: 0, stdout: `no jar runs in ${data}\n`, stderr: '' });
  expect((await runCli(['logs', '--lines', '1', '--json'], { cwd })).stdout).toMatch(/"msg":"the jar is stopped"\}\n$/);
});

test('a failing start in the background reports the reason with its status, and does not change a foreign folder', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'thesis.txt'), 'mine');
  const foreign = await spawnCli(['start', '-d', ...PORTS, '--data', folder]).result;
  expect(foreign).toEqual({
    code: 1,
    stdout: '',
    stderr: `cloudjar: the data folder ${folder} is not empty and does not belong to a jar\n`,
  });
  expect(existsSync(join(folder, 'jar.log'))).toBe(false);
  const wrong = await spawnCli(['--json', 'start', '--port', 'abc', '--detach=true'], { cwd: folder }).result;
  expect(wrong).toMatchObject({
    code: 2,
    stderr: 'cloudjar: --port must be a port number from 0 to 65535, not "abc"\n',
  });
});

test('of several jars on a folder, stop ends one that is named, or all', async () => {
  const first = await startCli(['--memory', '--smtp-port', '0']);
  const second = await startCli(['--memory', '--smtp-port', '0'], { folder: first.folder });
  const third = await startCli(['--memory', '--smtp-port', '0'], { folder: first.folder });
  const refused = await runCli(['stop', '--data', first.folder]);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /^cloudjar: 3 jars run on .*: stop all with --all, or one with --url \(http.*, http.*, http.*\)\n$/,
  );
  const one = await runCli(['stop', '--data', first.folder, '--url', second.url, '--json']);
  expect(JSON.parse(one.stdout)).toEqual({ stopped: [{ url: second.url, pid: second.pid }] });
  expect((await second.result).code).toBe(0);
  const all = await runCli(['stop', '--all', '--data', first.folder]);
  expect(all.stdout.trim().split('\n')).toHaveLength(2);
  expect([(await first.result).code, (await third.result).code]).toEqual([0, 0]);
});

test('the file of an ended jar is not taken for a running jar, even if its process id or its address was reused', async () => {
  const other = await startCli(['--memory', '--smtp-port', '0']);
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'cloudjar.json'), '{"format":"cloudjar-data","version":1}');
  writeFileSync(join(folder, 'admin.key'), `${adminKey(other.folder)}\n`);
  const file = (content: object) => writeFileSync(join(folder, jarFileName(process.pid)), JSON.stringify(content));
  const past = { version: '0.1.0', startedAt: '2026-01-01T00:00:00.000Z', httpsUrl: 'https://localhost:1' };
  // This process has the id, and another jar with the same key has the address.
  for (const content of [
    { ...past, pid: process.pid, url: other.url },
    { ...past, pid: process.pid, url: 'http://127.0.0.1:1', processStart: '1' },
  ]) {
    file(content);
    expect(await runCli(['status', '--data', folder])).toMatchObject({ code: 3, stdout: `no jar runs in ${folder}\n` });
    expect(await runCli(['stop', '--data', folder])).toMatchObject({ code: 0, stdout: `no jar runs in ${folder}\n` });
  }
  expect((await fetch(`${other.url}/_jar/health`)).status).toBe(200);
});

test('a process that has ended and was not waited for counts as ended', async () => {
  const { pid } = process;
  expect(isSameProcess({ pid })).toBe(true);
  // The shell is replaced by a program that never reaps its child; the child ends only after that, since a shell would reap it.
  const child = 'while grep -qx sh /proc/$PPID/comm; do sleep 0.05; done';
  const parent = spawnCli([], { under: ['sh', '-c', `sh -c '${child}' & echo $!; exec sleep 60`, 'sh'] });
  const [, zombie = ''] = await parent.printed(/^(\d+)\n/);
  await expect.poll(() => readFileSync(`/proc/${zombie}/stat`, 'utf8')).toMatch(/\) Z /);
  expect(isSameProcess({ pid: Number(zombie) })).toBe(false);
});

test('POST /_jar/stop needs the admin key', async () => {
  const jar = await startCli(['--memory', '--smtp-port', '0']);
  expect((await fetch(`${jar.url}/_jar/stop`, { method: 'POST' })).status).toBe(401);
  const headers = { authorization: `Bearer ${adminKey(jar.folder)}` };
  const answer = await fetch(`${jar.url}/_jar/stop`, { method: 'POST', headers });
  expect([answer.status, await answer.json()]).toEqual([
    202,
    { status: 'stopping', pid: jar.pid, timeoutMs: expect.any(Number) },
  ]);
  expect((await jar.result).code).toBe(0);
});

test("open starts the desktop's program with the address, but only with a display", async () => {
  const jar = await startCli(['--memory', '--smtp-port', '0']);
  const desktop = temporaryFolder();
  const opened = join(desktop, 'opened');
  writeFileSync(join(desktop, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`);
  chmodSync(join(desktop, 'xdg-open'), 0o755);
  const env = { PATH: `${desktop}:${process.env.PATH}` };
  const open = (more: Record<string, string>) =>
    runCli(['open', '--json', '--data', jar.folder], { env: { ...env, DISPLAY: '', WAYLAND_DISPLAY: '', ...more } });
  const link = expect.stringMatching(new RegExp(`^${jar.url}/console/#enter=[\\w-]+$`));
  expect(JSON.parse((await open({})).stdout)).toEqual({ url: link, opened: false });
  expect(existsSync(opened)).toBe(false);
  const { url, opened: isOpened } = JSON.parse((await open({ DISPLAY: ':0' })).stdout);
  expect([url, isOpened]).toEqual([link, true]);
  await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toBe(url);
});

test('logs --follow shows new lines as they are written, across a rotation of the file', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'cloudjar.json'), '{"format":"cloudjar-data","version":1}');
  const log = new LogFile(folder, 60);
  log.write('{"n":1}\n');
  const following = spawnCli(['logs', '-f', '--json', '--data', folder]);
  await following.printed(/"n":1\}\n/);
  for (let n = 2; n <= 20; n++) {
    log.write(`{"n":${n}}\n`);
    await following.printed(new RegExp(`"n":${n}\\}\n`));
  }
  expect(following.stdout().trim().split('\n')).toHaveLength(20);
  expect(existsSync(join(folder, 'jar.log.1'))).toBe(true);
  following.kill('SIGINT');
  expect(await following.result).toMatchObject({ code: 0, stderr: '' });
  const last = await runCli(['logs', '--lines', '5', '--json', '--data', folder]);
  expect(last.stdout).toBe([16, 17, 18, 19, 20].map((n) => `{"n":${n}}\n`).join(''));
  log.write('{"time":1772442000250,"level":"info","msg":"the jar is ready"}\n');
  expect((await runCli(['logs', '--lines', '1', '--data', folder])).stdout).toMatch(/^\S+ +INFO +the jar is ready\n$/);
  const none = await runCli(['logs', '--data', temporaryFolder()]);
  expect(none).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^cloudjar: .*jar\.log does not exist: .*--detach\) write a log file\n$/),
  });
});

test('logs ends when the reader of a pipe has read enough, while it follows as well', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'cloudjar.json'), '{"format":"cloudjar-data","version":1}');
  const log = new LogFile(folder);
  for (let n = 0; n < 20_000; n++) log.write(`{"n":${n},"msg":"${'x'.repeat(80)}"}\n`);
  for (const words of ['--lines 20000', '--lines 1 --follow']) {
    const command = `"${process.execPath}" "${MAIN}" logs --json --data "${folder}" ${words} | head -n 1`;
    const shell = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (text) => (printed += text));
    let ended = false;
    shell.once('close', () => (ended = true));
    // The reader notices when it writes the next line.
    await eventually(() => {
      log.write('{"n":-1}\n');
      expect(ended).toBe(true);
    });
    expect(printed.trim().split('\n')).toHaveLength(1);
    expect(shell.exitCode).toBe(0);
  }
});

test('of two concurrent starts one starts the jar, and the other reports that it runs', async () => {
  const cwd = temporaryFolder();
  const both = await Promise.all([background([], { cwd }), background([], { cwd })]);
  expect(both.map(({ started }) => started.code)).toEqual([0, 0]);
  expect(new Set(both.map(({ url }) => url)).size).toBe(1);
  const later = both.filter(({ started }) => started.stdout.includes('which was already running'));
  expect(later).toHaveLength(1);
});

test('status says of a jar with another admin key that it has one, and not that it hangs', async () => {
  const jar = await startCli(['--memory', '--smtp-port', '0']);
  const env = { CLOUDJAR_ADMIN_KEY: 'not-that-of-the-jar' };
  const line = `process ${jar.pid} at ${jar.url} requires another admin key than CLOUDJAR_ADMIN_KEY`;
  const status = await runCli(['status', '--data', jar.folder], { env });
  expect(status).toEqual({ code: 1, stdout: `${line}\n`, stderr: '' });
  const start = await spawnCli(['start', '-d', '--data', jar.folder], { env }).result;
  expect(start).toMatchObject({ code: 1, stderr: `cloudjar: a jar already runs on ${jar.folder}: ${line}\n` });
});
