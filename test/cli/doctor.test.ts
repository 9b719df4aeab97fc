import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { azureCliLines } from '../../src/cli/doctor/azure-cli.ts';
import { checkSmtp } from '../../src/cli/doctor/connections.ts';
import { checkDisk, checkNode, checkPorts } from '../../src/cli/doctor/machine.ts';
import type { Config } from '../../src/kernel/config/config.ts';
import { adminKey, runCli, startCli, temporaryFolder } from './cli.ts';

interface Diagnosis {
  readonly ok: boolean;
  readonly target: { readonly url: string; readonly source: string; readonly local: boolean };
  readonly checks: readonly {
    readonly check: string;
    readonly ok: boolean;
    readonly detail: string;
    readonly fix?: string;
  }[];
}

const diagnosis = (stdout: string): Diagnosis => JSON.parse(stdout) as Diagnosis;
const names = ({ checks }: Diagnosis): string[] => checks.map(({ check }) => check);
const wrongOnes = ({ checks }: Diagnosis): string[] => checks.filter(({ ok }) => !ok).map(({ check }) => check);

test('a jar that is named by its address is looked at from here, and not the folders and ports of this machine', async () => {
  const jar = await startCli(['--memory', '--smtp-port', '0']);
  const cwd = temporaryFolder();
  const look = (...args: string[]) =>
    runCli(['doctor', '--url', jar.url, ...args], { cwd, env: { CLOUDJAR_ADMIN_KEY: adminKey(jar.folder) } });
  const { code, stdout } = await look();
  expect(stdout).toMatch(new RegExp(`^The jar at ${jar.url} \\(from --url\\):\n`));
  expect(stdout).toContain(`has a certificate of ${jar.url}/_jar/ca.pem\n`);
  expect(stdout).toContain(`curl -o cloudjar-ca.pem ${jar.url}/_jar/ca.pem\n`);
  const [, https = ''] = /https {4}(\S+)/.exec(jar.stdout()) ?? [];
  const cloud = `https://127.0.0.1:${new URL(https).port}`;
  const azureCli = [
    'export REQUESTS_CA_BUNDLE=cloudjar-ca.pem',
    'export SSL_CERT_FILE=cloudjar-ca.pem',
    `az cloud register -n Cloudjar --endpoint-resource-manager ${cloud} --endpoint-active-directory ${cloud}/adfs`,
    'az cloud set -n Cloudjar',
    'az login -u admin@vendor.example -p cloudjar',
  ];
  expect(stdout.slice(stdout.indexOf('To use the jar'))).toBe(
    `To use the jar as a cloud in az (docs/guides/azure-cli.md):\n${azureCli.map((line) => `  ${line}\n`).join('')}`,
  );
  expect(stdout).not.toContain(cwd);
  expect(code).toBe(0);
  const found = diagnosis((await look('--json')).stdout);
  expect(names(found)).toEqual(['node', 'jar', 'admin key', 'https', 'smtp', 'clock']);
  expect(found).toMatchObject({ ok: true, target: { url: jar.url, source: '--url', local: false }, azureCli });
  expect(existsSync(join(cwd, '.cloudjar'))).toBe(false);

  const keyless = diagnosis((await runCli(['doctor', '--url', jar.url, '--json'], { cwd })).stdout);
  expect(wrongOnes(keyless)).toEqual(['admin key']);
  const own = diagnosis((await runCli(['doctor', '--url', jar.url, '--data', jar.folder, '--json'], { cwd })).stdout);
  expect(own.target.local).toBe(true);
});

test('an address over HTTPS that is not trusted yet is named with its CA, and the key is not sent there', async () => {
  const jar = await startCli(['--memory', '--smtp-port', '0']);
  const cwd = temporaryFolder();
  const [, https = ''] = /https {4}(\S+)/.exec(jar.stdout()) ?? [];
  const look = await runCli(['doctor', '--url', https, '--json'], {
    cwd,
    env: { CLOUDJAR_ADMIN_KEY: 'whatever-it-is' },
  });
  const found = diagnosis(look.stdout);
  expect(names(found)).toEqual(['node', 'jar', 'https']);
  expect(wrongOnes(found)).toEqual(['jar']);
  expect(found.checks.find(({ check }) => check === 'jar')?.detail).toMatch(/is not trusted: [^;]+$/);
  expect(found.checks.find(({ check }) => check === 'jar')?.fix).toMatch(
    /^give the jar's folder with --data, or trust/,
  );
  const lines = (await runCli(['doctor', '--url', https], { cwd })).stdout;
  expect(lines).toContain(`curl --cacert cloudjar-ca.pem ${https}/_jar/health`);
  const nobody = diagnosis((await runCli(['doctor', '--url', 'http://127.0.0.1:1', '--json'], { cwd })).stdout);
  expect([names(nobody), wrongOnes(nobody)]).toEqual([['node', 'jar'], ['jar']]);
});

test('the lines for az have the address and the CA of the jar of this folder', async () => {
  const jar = await startCli(['--memory', '--smtp-port', '0']);
  const [, https = ''] = /https {4}(\S+)/.exec(jar.stdout()) ?? [];
  const { stdout } = await runCli(['doctor', '--data', jar.folder]);
  const ca = join(jar.folder, 'ca.pem');
  expect(stdout).toContain(`\n  export REQUESTS_CA_BUNDLE=${ca}\n  export SSL_CERT_FILE=${ca}\n`);
  expect(stdout).toContain(`--endpoint-resource-manager ${https} --endpoint-active-directory ${https}/adfs\n`);
  expect(azureCliLines("/my jar/it's.pem", https)[0]).toBe(`export REQUESTS_CA_BUNDLE='/my jar/it'\\''s.pem'`);
  // The password of a jar on another machine is unknown here.
  expect(azureCliLines('ca.pem', 'https://jar.company.example:8443').at(-1)).toBe('az login --use-device-code');
});

test('the certificate of a jar has the names of its public addresses, and one that lacks them is a finding', async () => {
  const before = await startCli(['--memory', '--smtp-port', '0']);
  before.kill('SIGTERM');
  await before.result;
  const address = ['--public-url', 'https://jar.company.example:8443'];
  const older = await startCli(['--memory', '--smtp-port', '0', ...address], { folder: before.folder });
  const found = diagnosis((await runCli(['doctor', '--data', older.folder, '--json'])).stdout);
  expect(wrongOnes(found)).toEqual(['public url']);
  expect(found.checks.find(({ check }) => check === 'public url')).toMatchObject({
    detail: 'the certificate is not valid for jar.company.example',
    fix: expect.stringContaining('remove ca.pem and ca.key'),
  });
  const made = await startCli(['--memory', '--smtp-port', '0', ...address]);
  const good = diagnosis((await runCli(['doctor', '--data', made.folder, '--json'])).stdout);
  expect(wrongOnes(good)).toEqual([]);
  expect(names(good)).toContain('public url');
});

test('an address that leads nowhere is to be checked, and is no reason to start a jar', async () => {
  const { stdout } = await runCli(['doctor', '--url', 'http://no-such-host.invalid', '--json']);
  expect(diagnosis(stdout).checks.find(({ check }) => check === 'jar')).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/^no jar answers at http:\/\/no-such-host\.invalid/),
    fix: 'check the address',
  });
});

test('ports in use are findings, but for the usual one of mail, which a start replaces', async () => {
  const taken = await startCli(['--memory', '--smtp-port', '0']);
  const port = Number(new URL(taken.url).port);
  const config = { host: '127.0.0.1', port: 0, httpsPort: 0, smtpPort: 0 } as Config;
  expect(await checkPorts({ ...config, port })).toEqual([
    expect.objectContaining({ ok: false, detail: `${port} on 127.0.0.1 is not available (EADDRINUSE)` }),
  ]);
  const mail = createServer().listen(7425, '127.0.0.1');
  // If another program already uses the port, it is in use as well.
  await Promise.race([once(mail, 'listening'), once(mail, 'error')]).catch(() => {});
  onTestFinished(() => void mail.close());
  const [found] = await checkPorts({ ...config, smtpPort: 7425 });
  expect(found).toMatchObject({
    ok: true,
    detail: expect.stringContaining('mail gets a free port, because 7425 is in use'),
  });
});

test('a full disk, an old Node and a port without a mail server are findings', async () => {
  const disk = (free: number) => checkDisk('/', () => ({ bavail: free, bsize: 1 }) as never);
  expect(disk(10_000_000)).toMatchObject({ ok: false, detail: 'only 10 MB are free on the disk of /' });
  expect(disk(5e9)).toEqual({ check: 'disk', ok: true, detail: '5.0 GB are free' });
  expect(checkNode('22.1.0').ok).toBe(false);
  expect(await checkSmtp('127.0.0.1', 1)).toMatchObject({ ok: false, detail: expect.stringContaining('ECONNREFUSED') });
});
