import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { jarFileName } from '../../src/cli/jar-file.ts';
import { runCli, startCli, temporaryFolder } from './cli.ts';

const VIRTUAL = ['--memory', '--clock', 'virtual', '--clock-start', '2026-01-31T09:00:00Z'];

test('token prints a token and nothing else, for whom and what it is asked for', async () => {
  const { folder, url } = await startCli(VIRTUAL);
  const plain = await runCli(['token', '--data', folder]);
  expect(plain).toEqual({ code: 0, stdout: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+\n$/), stderr: '' });
  expect(claims(plain.stdout)).toMatchObject({
    upn: 'admin@vendor.example',
    scp: expect.stringContaining('user_impersonation'),
  });
  const answer = await fetch(`${url}/subscriptions?api-version=2022-12-01`, {
    headers: { authorization: `Bearer ${plain.stdout.trim()}` },
  });
  expect(answer.status).toBe(200);

  const narrow = [
    '--user',
    'licensed',
    '--scope',
    'other.read',
    '--audience',
    'https://management.azure.com/',
    '--ttl',
    '2h',
  ];
  const { stdout } = await runCli(['token', '--data', folder, '--json', ...narrow]);
  const issued = JSON.parse(stdout) as { access_token: string; expires_in: number };
  expect(issued.expires_in).toBe(7200);
  expect(claims(issued.access_token)).toMatchObject({
    upn: 'licensed@vendor.example',
    scp: 'other.read',
    aud: 'https://management.azure.com/',
  });
});

test('what the jar refuses is told in its own words', async () => {
  const { folder } = await startCli(VIRTUAL);
  const nobody = await runCli(['token', '--data', folder, '--user', 'nobody']);
  expect(nobody).toMatchObject({ code: 1, stdout: '' });
  expect(nobody.stderr).toMatch(
    /^cloudjar: There is no user or application 'nobody' in this jar; there are .*admin.*\n$/,
  );
});

test('clock shows the time and moves it, and reset takes it back', async () => {
  const { folder } = await startCli(VIRTUAL);
  const at = ['--data', folder];
  expect((await runCli(['clock', ...at])).stdout).toBe('2026-01-31T09:00:00.000Z (virtual), nothing is due\n');
  expect((await runCli(['clock', 'advance', '36h', ...at])).stdout).toBe(
    "the jar's time is 2026-02-01T21:00:00.000Z; 0 due items ran\n",
  );
  expect(JSON.parse((await runCli(['clock', 'advance', 'PT1H', ...at, '--json'])).stdout)).toEqual({
    now: '2026-02-01T22:00:00.000Z',
    fired: 0,
    work: [],
    items: [],
    more: false,
  });
  expect(JSON.parse((await runCli(['clock', '--json', ...at])).stdout)).toEqual({
    now: '2026-02-01T22:00:00.000Z',
    mode: 'virtual',
    nextDue: null,
  });
  expect((await runCli(['reset', ...at])).stdout).toBe(
    "reset to the seed; the jar's time is 2026-01-31T09:00:00.000Z\n",
  );
});

test('clock advance prints what ran by kind, and with --preview what would run', async () => {
  const { folder, url } = await startCli(VIRTUAL);
  const at = ['--data', folder];
  const access_token = (await runCli(['token', ...at])).stdout.trim();
  const group = `${url}/subscriptions/10000000-0000-4000-8000-0000000000f1/resourcegroups/g?api-version=2022-12-01`;
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  await fetch(group, { method: 'PUT', headers, body: '{"location":"eastus"}' });
  // The pruning of the change record of the group.
  await expect
    .poll(async () => (await runCli(['clock', 'advance', '30d', '--preview', ...at])).stdout)
    .toMatch(
      /^until 2026-03-02T09:00:00.000Z, 1 due item would run\n {6}1 {2}Deletes old change records \(feed\.prune\), 2026-02-07T\S+\nCounts what is scheduled now\..*\n$/,
    );
  expect((await runCli(['clock', ...at])).stdout).toContain('2026-01-31T09:00:00.000Z');
  const json = JSON.parse((await runCli(['clock', 'advance', '30d', '--preview', '--json', ...at])).stdout);
  expect(json).toMatchObject({ total: 1, value: [{ kind: 'feed.prune' }] });
  expect((await runCli(['clock', 'advance', '30d', ...at])).stdout).toBe(
    "the jar's time is 2026-03-02T09:00:00.000Z; 1 due item ran\n      1  Deletes old change records (feed.prune)\n",
  );
  expect(await runCli(['clock', 'advance', 'soon', '--preview', ...at])).toMatchObject({ code: 2, stdout: '' });
});

test('a jar is found by --url, by CLOUDJAR_URL and by its folder; the key by CLOUDJAR_ADMIN_KEY and by the folder', async () => {
  const env = { CLOUDJAR_ADMIN_KEY: 'a-key-of-my-own' };
  const { url, folder, pid } = await startCli(VIRTUAL, { env });
  const elsewhere = temporaryFolder();
  const found = [
    await runCli(['clock', '--url', url], { env, cwd: elsewhere }),
    await runCli(['clock'], { env: { ...env, CLOUDJAR_URL: url }, cwd: elsewhere }),
    await runCli(['clock', '--data', folder], { env, cwd: elsewhere }),
    await runCli(['clock'], { env: { ...env, CLOUDJAR_DATA: folder }, cwd: elsewhere }),
  ];
  for (const result of found) expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2026-01-31/) });
  const { httpsUrl } = JSON.parse(readFileSync(join(folder, jarFileName(pid)), 'utf8')) as { httpsUrl: string };
  expect(await runCli(['clock', '--url', httpsUrl, '--data', folder], { env })).toMatchObject({ code: 0 });
  const untrusted = await runCli(['clock', '--url', httpsUrl], { env, cwd: elsewhere });
  expect(untrusted).toMatchObject({ code: 1, stdout: '' });
  expect(untrusted.stderr).toMatch(/^cloudjar: the certificate of .* is not trusted: .*NODE_EXTRA_CA_CERTS\n$/);
});

test('no jar, another program, a wrong key and a missing key each get their own line', async () => {
  const cwd = temporaryFolder();
  const complaint = async (args: string[], env: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await runCli(args, { cwd, env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    return stderr;
  };
  const nobody = await closedPort();
  expect(await complaint(['token', '--url', nobody])).toBe(
    `cloudjar: no jar answers at ${nobody} (from --url): start one with npx cloudjar start, or choose another with --url or --data\n`,
  );
  const other = await otherProgram();
  expect(await complaint(['token', '--url', other], { CLOUDJAR_ADMIN_KEY: 'some-other-key' })).toBe(
    `cloudjar: the server at ${other} is not a jar (status 200); give the jar's address with --url or its folder with --data\n`,
  );
  const jar = await startCli(VIRTUAL);
  expect(await complaint(['token', '--url', jar.url], { CLOUDJAR_ADMIN_KEY: 'some-other-key' })).toBe(
    `cloudjar: the jar at ${jar.url} requires another admin key than CLOUDJAR_ADMIN_KEY; set it to the jar's key, or unset it and give the jar's folder with --data\n`,
  );
  expect(await complaint(['token', '--url', jar.url])).toMatch(
    /^cloudjar: no admin key: .*admin\.key does not exist; set /,
  );
  jar.kill('SIGKILL');
  await jar.result;
  expect(await complaint(['token', '--data', jar.folder])).toContain(`; process ${jar.pid}, which ran it, has ended: `);
});

test('doctor finds no problems with a running jar, and shows how each runtime can trust it', async () => {
  const { folder } = await startCli(VIRTUAL);
  const { code, stdout } = await runCli(['doctor', '--data', folder]);
  expect(code).toBe(0);
  expect(stdout).not.toContain('WRONG');
  for (const line of [
    `export NODE_EXTRA_CA_CERTS=${folder}/ca.pem`,
    `export REQUESTS_CA_BUNDLE=${folder}/ca.pem`,
    `export SSL_CERT_FILE=${folder}/ca.pem`,
    `curl --cacert ${folder}/ca.pem https://localhost:`,
    'update-ca-certificates',
    'keytool -importcert',
    'nssdb',
    'Firefox',
  ]) {
    expect(stdout).toContain(line);
  }
  const checks = (JSON.parse((await runCli(['doctor', '--data', folder, '--json'])).stdout) as Diagnosis).checks;
  expect(checks.map(({ check }) => check)).toEqual([
    'node',
    'data folder',
    'disk',
    'jar',
    'admin key',
    'https',
    'smtp',
    'clock',
  ]);
  expect(checks.every(({ ok }) => ok)).toBe(true);
});

test('doctor names problems and their fixes, with status 1', async () => {
  const jar = await startCli(VIRTUAL);
  const { folder } = jar;
  writeFileSync(join(folder, 'ca.pem'), readFileSync(join((await startCli(VIRTUAL)).folder, 'ca.pem')));
  const swapped = await runCli(['doctor', '--data', folder, '--json'], {
    env: { CLOUDJAR_ADMIN_KEY: 'some-other-key' },
  });
  expect(swapped.code).toBe(1);
  expect(problems(swapped.stdout)).toEqual({
    'admin key': expect.stringMatching(/CLOUDJAR_ADMIN_KEY/),
    https: expect.stringMatching(/restart the jar/),
  });

  jar.kill('SIGTERM');
  await jar.result;
  const { port } = new URL(await otherProgram());
  const foreign = temporaryFolder();
  writeFileSync(join(foreign, 'thesis.txt'), '');
  // A developer's own jar may use the default port.
  const env = { CLOUDJAR_PORT: port, CLOUDJAR_HTTPS_PORT: '0', CLOUDJAR_SMTP_PORT: '0' };
  const alone = await runCli(['doctor', '--data', foreign, '--json'], { env });
  expect(alone.code).toBe(1);
  expect(problems(alone.stdout)).toEqual({
    'data folder': expect.stringMatching(/--data/),
    jar: expect.stringMatching(/another port/),
    ports: expect.stringMatching(/--port/),
  });
});

test('--version and --help answer on stdout, and each command shows examples', async () => {
  expect(await runCli(['--version'])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  });
  const { stdout, code } = await runCli(['--help']);
  expect(code).toBe(0);
  for (const name of ['start', 'token', 'clock', 'reset', 'doctor'])
    expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
  for (const args of [
    ['start', '--help'],
    ['help', 'token'],
    ['clock', '-h'],
  ]) {
    const help = await runCli(args);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('Examples:');
  }
});

interface Diagnosis {
  readonly checks: { check: string; ok: boolean; detail: string; fix?: string }[];
}

function problems(stdout: string): Record<string, string | undefined> {
  const { checks } = JSON.parse(stdout) as Diagnosis;
  return Object.fromEntries(checks.filter(({ ok }) => !ok).map(({ check, fix }) => [check, fix]));
}

function claims(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

async function otherProgram(): Promise<string> {
  const server = createServer((_, response) => response.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

test('help explains a command, and a command of a command', async () => {
  for (const [args, usage] of [
    [['help'], /^Usage: cloudjar <command>/],
    [['help', 'clock'], /^Usage: cloudjar clock \[options\] \[command\]/],
    [['help', 'clock', 'advance'], /^Usage: cloudjar clock advance \[options\] <by>/],
  ] as const) {
    expect(await runCli(args)).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(usage) });
  }
});
