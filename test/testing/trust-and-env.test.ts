import { execFile, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ResourceManagementClient } from '@azure/arm-resources';
import { ClientSecretCredential } from '@azure/identity';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startJar } from '../../src/testing/index.ts';
import { SUBSCRIPTION } from '../support/jars.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Deduplicated and without line breaks, because Node normalises both when the list is set. */
const trustedNow = (): Set<string> => new Set(getCACertificates('default').map((pem) => pem.replaceAll(/\s/g, '')));

const statusBy = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(url, { agent: false }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end();
  });

describe('jar.trust()', () => {
  it('makes fetch, node:https and an official SDK trust the jar, until it is closed', async () => {
    const before = trustedNow();
    const jar = await startJar();
    const health = `${jar.httpsUrl}/_jar/health`;
    await expect(statusBy(health)).rejects.toThrow(/certificate/);
    jar.trust();
    expect(await statusBy(health)).toBe(200);
    expect((await fetch(health)).status).toBe(200);
    const { AZURE_TENANT_ID = '', AZURE_CLIENT_ID = '', AZURE_CLIENT_SECRET = '' } = jar.env();
    const credential = new ClientSecretCredential(AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET, {
      authorityHost: jar.httpsUrl,
      disableInstanceDiscovery: true,
    });
    const client = new ResourceManagementClient(credential, SUBSCRIPTION, { endpoint: jar.httpsUrl });
    expect(await client.resourceGroups.createOrUpdate('demo', { location: 'westeurope' })).toMatchObject({
      name: 'demo',
    });
    await jar.close();
    expect(trustedNow()).toEqual(before);
  });

  it('is separate for each of several jars, however often and in whatever order it is ended', async () => {
    const before = trustedNow();
    await using one = await startJar();
    await using two = await startJar();
    const [distrustOne, again, distrustTwo] = [one.trust(), one.trust(), two.trust()];
    distrustOne();
    distrustOne();
    expect([await statusBy(`${one.httpsUrl}/_jar/health`), await statusBy(`${two.httpsUrl}/_jar/health`)]).toEqual([
      200, 200,
    ]);
    again();
    await expect(statusBy(`${one.httpsUrl}/_jar/health`)).rejects.toThrow(/certificate/);
    expect(await statusBy(`${two.httpsUrl}/_jar/health`)).toBe(200);
    distrustTwo();
    expect(trustedNow()).toEqual(before);
  });
});

/** Runs a program that finds the jar only by its environment. */
async function runWith(env: Record<string, string>, program: string): Promise<unknown> {
  const { PATH = '' } = process.env;
  const args = ['--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env: { PATH, ...env } });
  return JSON.parse(stdout);
}

describe('jar.env()', () => {
  it('points official clients and the client of the package at the jar, in another process', async () => {
    await using jar = await startJar();
    const env = jar.env({ token: await jar.token() });
    const [azure, platform, tracking, cloudjar] = await Promise.all([
      runWith(
        env,
        `import { EnvironmentCredential } from '@azure/identity';
         import { ResourceManagementClient } from '@azure/arm-resources';
         const { AZURE_SUBSCRIPTION_ID, ARM_ENDPOINT } = process.env;
         const credential = new EnvironmentCredential({ disableInstanceDiscovery: true });
         const client = new ResourceManagementClient(credential, AZURE_SUBSCRIPTION_ID, { endpoint: ARM_ENDPOINT });
         const { name } = await client.resourceGroups.createOrUpdate('demo', { location: 'westeurope' });
         console.log(JSON.stringify(name));`,
      ),
      runWith(
        env,
        `import { WorkspaceClient } from '@databricks/sdk-experimental';
         const { userName } = await new WorkspaceClient({}).currentUser.me();
         console.log(JSON.stringify(userName));`,
      ),
      runWith(
        env,
        `import MLflow from 'mlflow';
         const { MLFLOW_TRACKING_URI: endpoint, MLFLOW_TRACKING_TOKEN: token } = process.env;
         const client = new MLflow({ endpoint, headers: { Authorization: 'Bearer ' + token } });
         console.log = () => {}; // It prints the bodies of its requests.
         const { experiment_id } = await client.Experiments.create({ name: '/Shared/one', artifact_location: '' });
         process.stdout.write(JSON.stringify(typeof experiment_id));`,
      ),
      runWith(
        env,
        `import { connectJar } from 'cloudjar/client';
         const jar = connectJar.fromEnv();
         const secure = connectJar.fromEnv({ ...process.env, CLOUDJAR_URL: process.env.AZURE_AUTHORITY_HOST });
         console.log(JSON.stringify([(await jar.health()).status, (await secure.clock.now()).getTime()]));`,
      ),
    ]);
    expect(azure).toBe('demo');
    expect(platform).toBe('admin@vendor.example');
    expect(tracking).toBe('string');
    expect(cloudjar).toEqual(['ready', jar.clock.now().getTime()]);
  });

  it('names a certificate that curl and Python use, until the jar is closed', async () => {
    const jar = await startJar();
    const { CURL_CA_BUNDLE = '', SSL_CERT_FILE, REQUESTS_CA_BUNDLE, NODE_EXTRA_CA_CERTS, CLOUDJAR_CA } = jar.env();
    expect([SSL_CERT_FILE, REQUESTS_CA_BUNDLE, NODE_EXTRA_CA_CERTS, CLOUDJAR_CA]).toEqual(
      Array(4).fill(CURL_CA_BUNDLE),
    );
    expect(readFileSync(CURL_CA_BUNDLE, 'utf8')).toBe(jar.ca);
    const { PATH = '' } = process.env;
    const run = async (command: string, args: string[]) =>
      (await promisify(execFile)(command, args, { env: { PATH, ...jar.env() } })).stdout.trim();
    const health = `${jar.httpsUrl}/_jar/health`;
    expect(JSON.parse(await run('curl', ['-sS', health]))).toMatchObject({ status: 'ready' });
    const python = `import urllib.request; print(urllib.request.urlopen('${health}').status)`;
    expect(await run('python3', ['-c', python])).toBe('200');
    await jar.close();
    expect(existsSync(CURL_CA_BUNDLE)).toBe(false);
  });

  it('leaves no file of processes that were killed for longer than a day', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cloudjar-killed-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const ended = spawnSync(process.execPath, ['--version']).pid;
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    for (const [name, age] of [
      [`cloudjar-env-${ended}-older`, 2],
      [`cloudjar-env-${ended}-newer`, 0.5],
      [`cloudjar-env-${process.pid}-running`, 2],
      ['cloudjar-other', 2],
    ] as const) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'ca.pem'), '');
      utimesSync(join(folder, name), days(age), days(age));
    }
    const jar = await startJar();
    const { CLOUDJAR_CA = '' } = jar.env();
    expect(dirname(dirname(CLOUDJAR_CA))).toBe(folder);
    await jar.close();
    expect(readdirSync(folder).toSorted()).toEqual(
      [`cloudjar-env-${ended}-newer`, `cloudjar-env-${process.pid}-running`, 'cloudjar-other'].toSorted(),
    );
  });

  it('leaves out credentials that cannot be used', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cloudjar-env-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const seed = join(folder, 'seed.json');
    const tenant = { id: '30000000-0000-4000-8000-000000000001', domain: 'mine.example', displayName: 'Mine' };
    writeFileSync(seed, JSON.stringify({ directory: { tenants: [tenant], users: [], applications: [] } }));
    await using jar = await startJar({ seed });
    expect(jar.env()).toHaveProperty('AZURE_AUTHORITY_HOST', jar.httpsUrl);
    for (const name of ['AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET', 'DATABRICKS_TOKEN']) {
      expect(jar.env()).not.toHaveProperty(name);
    }
  });

  it('has the secret of a jar that others can reach', async () => {
    await using jar = await startJar({ host: '0.0.0.0', adminKey: 'the-admin-key' });
    expect(jar.env()).toMatchObject({ CLOUDJAR_ADMIN_KEY: 'the-admin-key', AZURE_CLIENT_SECRET: 'the-admin-key' });
  });
});
