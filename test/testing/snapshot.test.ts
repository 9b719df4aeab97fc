import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type StartJarOptions, startJar, type TestJar } from '../../src/testing/index.ts';
import { usePostgresDatabase } from '../support/use-postgres.ts';
import { askOf, good } from '../travel/ask.ts';
import { SHOP } from '../travel/fill.ts';

const START = '2026-03-02T09:00:00.000Z';
const PASSPHRASE = 'a passphrase of the tests';
const PATH = `${SHOP}?api-version=2021-04-01`;
const folder = mkdtempSync(join(tmpdir(), 'cloudjar-start-'));
const portable = join(folder, 'team fixture.cloudjar.gz');
const locked = join(folder, 'locked.cloudjar.gz');
const own = join(folder, 'own.cloudjar.gz');
let maker: TestJar;

beforeAll(async () => {
  maker = await startJar({ clockStart: START });
  await good(askOf(maker)('PUT', PATH, { body: { location: 'westeurope', tags: { team: 'red' } } }));
  await maker.clock.advance('36h');
  await maker.export(portable, { portable: true });
  await maker.export(locked, { passphrase: PASSPHRASE });
  await maker.export(own);
});
afterAll(async () => {
  await maker.close();
  rmSync(folder, { recursive: true });
});

const MADE_AT = new Date(Date.parse(START) + 36 * 3_600_000);
const start = async (options: StartJarOptions): Promise<TestJar> => {
  const jar = await startJar(options);
  onTestFinished(() => jar.close());
  return jar;
};
const tagsIn = async (jar: TestJar): Promise<unknown> => (await good(askOf(jar)('GET', PATH))).tags;

test('a jar begins with a snapshot file, at its time, and a reset goes back to it', async () => {
  const jar = await start({ snapshot: portable });
  expect(jar.clock.now()).toEqual(MADE_AT);
  expect(await tagsIn(jar)).toEqual({ team: 'red' });
  const keys = await jar.keys();
  await good(askOf(jar)('PUT', PATH, { body: { location: 'westeurope', tags: {} } }));
  await jar.clock.advance('1h');
  await jar.reset();
  expect(jar.clock.now()).toEqual(MADE_AT);
  expect(await tagsIn(jar)).toEqual({ team: 'red' });
  // Keys that were created for the file are unchanged.
  expect(await jar.keys()).toEqual(keys);
  expect((await good(askOf(jar)('GET', '/_jar/snapshots'))).value).toEqual([]);
});

test('the file can be a URL, and needs its passphrase if it has one', async () => {
  const jar = await start({ snapshot: pathToFileURL(locked), passphrase: PASSPHRASE });
  expect(await tagsIn(jar)).toEqual({ team: 'red' });
  await jar.reset();
  expect(await tagsIn(jar)).toEqual({ team: 'red' });
  await expect(startJar({ snapshot: locked })).rejects.toThrow(
    /^snapshot file .*locked.*was exported with a passphrase/,
  );
  await expect(startJar({ snapshot: locked, passphrase: 'another one' })).rejects.toThrow(/is not that of the file/);
});

test('with clockStart the clock begins there', async () => {
  const jar = await start({ snapshot: portable, clockStart: '2027-01-01T00:00:00Z' });
  expect(jar.clock.now().toISOString()).toBe('2027-01-01T00:00:00.000Z');
  await jar.clock.advance('1h');
  await jar.reset();
  expect(jar.clock.now().toISOString()).toBe('2027-01-01T00:00:00.000Z');
  expect(await tagsIn(jar)).toEqual({ team: 'red' });
});

test.each(['system', 'shifted'] as const)('on a %s clock', async (clock) => {
  const jar = await start({ snapshot: portable, clock });
  expect(await tagsIn(jar)).toEqual({ team: 'red' });
  const isMoved = jar.clock.now().getTime() - MADE_AT.getTime() < 60_000;
  expect(isMoved).toBe(clock === 'shifted');
});

test('on PostgreSQL two concurrently starting nodes apply it once, and a restart keeps changes', async (context) => {
  const databaseUrl = await usePostgresDatabase(context, 'seeded');
  const secretKey = Buffer.alloc(32, 7).toString('base64url');
  const options = { snapshot: portable, databaseUrl, secretKey };
  const [one, two] = await Promise.all([start(options), start(options)]);
  expect(await one.keys()).toEqual(await two.keys());
  expect(await tagsIn(two)).toEqual({ team: 'red' });
  await good(askOf(one)('PUT', PATH, { body: { location: 'westeurope', tags: { kept: 'yes' } } }));
  const keys = await one.keys();
  await one.close();
  await two.close();
  const again = await start(options);
  expect(await tagsIn(again)).toEqual({ kept: 'yes' });
  await again.reset();
  expect(await tagsIn(again)).toEqual({ team: 'red' });
  expect(await again.keys()).toEqual(keys);
});

test('a running jar takes a file in and goes to it, or only keeps it', async () => {
  const jar = await start({ clockStart: '2026-01-01T00:00:00Z' });
  const kept = await jar.import(portable, { restore: false });
  expect(kept.name).toBe('team-fixture');
  expect(jar.clock.now().toISOString()).toBe('2026-01-01T00:00:00.000Z');
  await jar.restore(kept.name);
  expect(await tagsIn(jar)).toEqual({ team: 'red' });
  await jar.reset();
  expect((await askOf(jar)('GET', PATH)).status).toBe(404);
  expect(await jar.import(locked, { passphrase: PASSPHRASE, name: 'mine' })).toEqual({ name: 'mine', leftOut: [] });
  expect(await tagsIn(jar)).toEqual({ team: 'red' });
  await expect(jar.import(own)).rejects.toThrow(/another secret key.*--portable/);
  await maker.import(own);
});

test('an export leaves no snapshot and no half-written file behind', async () => {
  expect((await good(askOf(maker)('GET', '/_jar/snapshots'))).value.map(({ name }: { name: string }) => name)).toEqual([
    'own',
  ]);
  await expect(maker.export(join(folder, 'none', 'x.gz'))).rejects.toThrow(/ENOENT/);
  await expect(maker.export(join(folder, 'x.gz'), { passphrase: 'short' })).rejects.toThrow(/fewer than 8/);
  expect((await good(askOf(maker)('GET', '/_jar/snapshots'))).value).toHaveLength(1);
});

test('what cannot be is told before anything is started', async () => {
  await expect(startJar({ snapshot: portable, seed: portable })).rejects.toThrow(/both a seed and a snapshot/);
  await expect(startJar({ snapshot: join(folder, 'none.gz') })).rejects.toThrow(
    /^snapshot file .*none\.gz cannot be read: ENOENT/,
  );
  writeFileSync(join(folder, 'seed.json'), '{}');
  await expect(startJar({ snapshot: join(folder, 'seed.json') })).rejects.toThrow(
    /seed\.json is not a snapshot file.*for a seed file, use the option seed/,
  );
  for (const snapshot of ['', 5, null, {}] as never[])
    await expect(startJar({ snapshot })).rejects.toThrow('snapshot must be the path of a file, or its URL');
  writeFileSync(join(folder, 'torn.gz'), Buffer.from([0x1f, 0x8b, 8, 0]));
  await expect(startJar({ snapshot: join(folder, 'torn.gz') })).rejects.toThrow(
    /snapshot file .*torn\.gz: The snapshot file is cut off/,
  );
  await expect(startJar({ snapshot: own })).rejects.toThrow(/another secret key/);
});
