import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openJar, type RunningJar } from '../src/jar/index.ts';
import { seededSections } from '../src/jar/self.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import type { Service } from '../src/kernel/service/service.ts';
import { collection } from '../src/kernel/store/collection.ts';
import { SERVICES } from '../src/services.ts';
import { usePostgresDatabase } from './support/use-postgres.ts';

/** Counts how often its section is applied, which must happen only once. */
const applied = collection<{ readonly times: number }>('notes.applied');

const NOTES: Service = {
  name: 'notes',
  title: 'Notes',
  family: SERVICES[0]!.family,
  mounts: ['/notes'],
  collections: [applied],
  open: async () => ({}),
  seed: {
    schema: {} as never,
    defaults: {},
    prepare: async () => async (tx) => {
      const times = (await tx.get(applied, 'once'))?.value.times ?? 0;
      await tx.put(applied, 'once', { times: times + 1 });
    },
  },
};

const OLD = SERVICES.filter(({ name }) => name !== 'lifecycle');
const NEW = [...SERVICES, NOTES];

async function open(services: readonly Service[], flags: object): Promise<RunningJar> {
  const config = loadConfig({ flags: { port: 0, httpsPort: 0, engine: 'simulated', ...flags }, env: {}, cwd: '/' });
  return openJar({ config, services, logLevel: 'silent', inProcess: 'databaseUrl' in flags });
}

const keyOf = async ({ url, adminKey }: RunningJar): Promise<string | undefined> => {
  const answer = await fetch(`${url}/_jar/keys`, { headers: { authorization: `Bearer ${adminKey}` } });
  return ((await answer.json()) as { lifecycle?: string }).lifecycle;
};

const userOf = async (jar: RunningJar): Promise<number> =>
  (await fetch(`${jar.url}/v0.1/user`, { headers: { 'x-api-token': (await keyOf(jar)) ?? '' } })).status;

test('a data folder from before a service existed gets the section of that service, once, and keeps the rest', async () => {
  const data = mkdtempSync(join(tmpdir(), 'cloudjar-seed-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const before = await open(OLD, { data });
  const { access_token: token } = (await (
    await fetch(`${before.url}/_jar/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${before.adminKey}`, 'content-type': 'application/json' },
      body: '{}',
    })
  ).json()) as { access_token: string };
  const group = '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourcegroups/kept?api-version=2022-12-01';
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const put = await fetch(before.url + group, { method: 'PUT', headers, body: '{"location":"westeurope"}' });
  expect(put.status).toBe(201);
  // The state of a release that kept no list of seeded sections.
  await before.jar.store.transact((tx) => tx.delete(seededSections, 'sections'));
  await before.close();

  for (let start = 0; start < 2; start++) {
    const jar = await open(NEW.slice(0, -1), { data });
    expect(await userOf(jar), 'the new service has its account').toBe(200);
    expect((await fetch(jar.url + group, { headers })).status).toBe(200);
    await jar.close();
  }

  for (const start of ['first', 'second']) {
    const jar = await open(NEW, { data });
    expect((await jar.jar.store.get(applied, 'once'))?.value, `the ${start} start`).toEqual({ times: 1 });
    if (start === 'second') {
      await jar.reset();
      expect((await jar.jar.store.get(applied, 'once'))?.value).toEqual({ times: 1 });
      expect(await userOf(jar)).toBe(200);
    }
    await jar.close();
  }
});

test('a snapshot from before a service existed gets the section of that service when it is restored', async () => {
  const jar = await open(NEW, { memory: true });
  onTestFinished(() => jar.close());
  await jar.jar.store.transact(async (tx) => {
    await tx.delete(applied, 'once');
    await tx.put(seededSections, 'sections', { names: SERVICES.map(({ name }) => name).concat('directory') });
  });
  await jar.snapshots.save('old');
  await jar.snapshots.restore('old');
  expect((await jar.jar.store.get(applied, 'once'))?.value).toEqual({ times: 1 });
});

test('of several nodes that start at once on one database, one seeds the new service', async (context) => {
  const databaseUrl = await usePostgresDatabase(context, 'seeded');
  const flags = { databaseUrl, secretKey: Buffer.alloc(32, 7).toString('base64url') };
  await (await open(OLD, flags)).close();
  const nodes = await Promise.all([open(NEW, flags), open(NEW, flags)]);
  for (const node of nodes) {
    expect((await node.jar.store.get(applied, 'once'))?.value).toEqual({ times: 1 });
    expect(await userOf(node)).toBe(200);
  }
  await Promise.all(nodes.map((node) => node.close()));
});
