import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { adminKey, runCli, type StartedJar, startCli, temporaryFolder } from './cli.ts';

const PRELOAD = ['--import', pathToFileURL(join(import.meta.dirname, 'record-outbound.mjs')).href];
const GROUPS = '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourcegroups';

test('the recorder of these tests notices what a program tries', async () => {
  const file = join(temporaryFolder(), 'outbound');
  const program = `
    import { lookup } from 'node:dns/promises';
    import { connect } from 'node:net';
    connect(1, '127.0.0.1').on('error', () => {});
    await lookup('cloudjar.invalid').catch(() => {});
  `;
  await promisify(execFile)(process.execPath, [...PRELOAD, '--input-type=module', '-e', program], {
    env: { ...process.env, OUTBOUND_RECORD: file },
  });
  const lines = readFileSync(file, 'utf8');
  expect(lines).toMatch(/^connect .*127\.0\.0\.1/m);
  expect(lines).toMatch(/^lookup .*cloudjar\.invalid/m);
});

test('a jar that starts, serves and stops makes no outbound connection', async () => {
  const file = join(temporaryFolder(), 'outbound');
  const jar = await startCli([], { nodeArgs: PRELOAD, env: { OUTBOUND_RECORD: file } });
  await useALittle(jar);
  expect(remoteAddresses(jar.pid).filter((address) => !isLoopback(address))).toEqual([]);
  jar.kill('SIGTERM');
  expect((await jar.result).code).toBe(0);
  expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe('');
});

// A system call trace misses nothing, unlike patches in the program. Containers often forbid tracing; the test above covers them.
if (mayTrace())
  test('the kernel sees no connection and no datagram of a jar', async () => {
    const file = join(temporaryFolder(), 'trace');
    const calls = 'trace=connect,sendto,sendmsg,sendmmsg';
    const jar = await startCli([], { under: ['strace', '-f', '-qq', '-e', calls, '-o', file] });
    await useALittle(jar);
    // The process id of the tracer differs from the jar's.
    const [, pid] = /^jar-(\d+)\.json$/m.exec(readdirSync(jar.folder).join('\n')) ?? [];
    process.kill(Number(pid), 'SIGTERM');
    expect((await jar.result).code).toBe(0);
    const outward = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /sa_family=AF_INET/.test(line));
    expect(outward).toEqual([]);
  });

async function useALittle({ url, folder }: StartedJar): Promise<void> {
  const { stdout } = await runCli(['token', '--data', folder]);
  const headers = { authorization: `Bearer ${stdout.trim()}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ location: 'westeurope' });
  const put = await fetch(`${url}${GROUPS}/here?api-version=2022-12-01`, { method: 'PUT', headers, body });
  expect(put.status).toBe(201);
  const gone = await fetch(`${url}${GROUPS}/here?api-version=2022-12-01`, { method: 'DELETE', headers });
  expect(gone.status).toBe(202);
  for (const path of ['/', '/_jar/health', '/_jar/ca.pem', '/_jar/metrics', '/_jar/clock']) {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${adminKey(folder)}` } });
    expect(answer.status).toBe(200);
  }
  expect((await runCli(['clock', 'advance', '3d', '--data', folder])).code).toBe(0);
  expect((await runCli(['doctor', '--data', folder])).code).toBe(0);
  expect((await runCli(['reset', '--data', folder])).code).toBe(0);
}

const ESTABLISHED = '01';

/** The remote addresses of the process's connections, in the kernel's format: `0100007F:1CE8`. */
function remoteAddresses(pid: number): string[] {
  return ['tcp', 'tcp6'].flatMap((table) => {
    const path = `/proc/${pid}/net/${table}`;
    if (!existsSync(path)) return [];
    const own = socketsOf(pid);
    const rows = readFileSync(path, 'utf8')
      .split('\n')
      .slice(1)
      .map((row) => row.trim().split(/\s+/));
    return rows.filter((row) => row[3] === ESTABLISHED && own.has(row[9] ?? '')).map((row) => row[2] ?? '');
  });
}

function socketsOf(pid: number): Set<string> {
  const { stdout } = spawnSync('ls', ['-l', `/proc/${pid}/fd`], { encoding: 'utf8' });
  return new Set(Array.from(stdout.matchAll(/socket:\[(\d+)\]/g), ([, inode = '']) => inode));
}

const isLoopback = (address: string): boolean =>
  /^[0-9A-F]{6}7F:/.test(address) || /^0{24}01000000:/.test(address) || /^0{16}FFFF0000[0-9A-F]{6}7F:/.test(address);

function mayTrace(): boolean {
  return spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', 'true']).status === 0;
}
