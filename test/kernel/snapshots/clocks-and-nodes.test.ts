import { expect, onTestFinished, test } from 'vitest';
import { SERVICES } from '../../../src/services.ts';
import { type StartJarOptions, startJar, type TestJar } from '../../../src/testing/index.ts';
import { readChanges } from '../../support/changes.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';
import { NOTES } from './notes.ts';

const HOUR = 3_600_000;

async function open(options: StartJarOptions): Promise<TestJar> {
  const jar = await startJar({ services: [...SERVICES, NOTES], ...options });
  onTestFinished(() => jar.close());
  return jar;
}

async function ask(jar: TestJar, method: string, path: string, body?: unknown) {
  const response = await fetch(jar.url + path, {
    method,
    headers: {
      authorization: `Bearer ${jar.adminKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
  return { status: response.status, body: (await response.json()) as any };
}

const note = (jar: TestJar, name: string, body: object) => ask(jar, 'PUT', `/notes/${name}`, body);
const names = async (jar: TestJar): Promise<string[]> =>
  (await ask(jar, 'GET', '/notes')).body.map((each: { name: string }) => each.name);
/** The maximum that a running clock may have advanced when it is read. */
const A_WHILE = 60_000;

test('a running clock continues from the time of the snapshot', async () => {
  const jar = await open({ clock: 'shifted' });
  await jar.clock.advance('36h');
  await note(jar, 'a', { text: 'a', removeIn: 10 * HOUR });
  const { body: saved } = await ask(jar, 'PUT', '/_jar/snapshots/then');
  await jar.clock.advance('20d');
  expect(await names(jar)).toEqual([]);
  const { body: restored } = await ask(jar, 'POST', '/_jar/snapshots/then/restore');
  expect(restored).toMatchObject({ clockMoved: true, warnings: [] });
  const since = jar.clock.now().getTime() - Date.parse(saved.takenAt);
  expect(since).toBeGreaterThanOrEqual(0);
  expect(since).toBeLessThan(A_WHILE);
  expect(await names(jar)).toEqual(['a']);
  await jar.clock.advance('9h');
  expect(await names(jar)).toEqual(['a']);
  await jar.clock.advance('61m');
  expect(await names(jar)).toEqual([]);
});

test("the system's clock stays where it is, and the answer says so", async () => {
  const jar = await open({ clock: 'system' });
  await note(jar, 'a', { text: 'a', removeIn: HOUR });
  await ask(jar, 'PUT', '/_jar/snapshots/then');
  await note(jar, 'b', { text: 'b' });
  const before = Date.now();
  const { status, body } = await ask(jar, 'POST', '/_jar/snapshots/then/restore');
  expect([status, body.clockMoved]).toEqual([200, false]);
  expect(body.warnings).toEqual([expect.stringMatching(/^The jar uses the system clock, which was not changed/)]);
  expect(Date.parse(body.now)).toBeGreaterThanOrEqual(before);
  expect(await names(jar)).toEqual(['a']);
});

test('a snapshot of a clock that stands still can be restored where one runs', async () => {
  const secretKey = Buffer.alloc(32, 4).toString('base64url');
  const still = await open({ clockStart: '2031-05-01T00:00:00.000Z', secretKey });
  const running = await open({ clock: 'shifted', secretKey });
  await still.snapshot('future');
  const content = '/_jar/snapshots/future/content';
  const headers = (jar: TestJar) => ({ authorization: `Bearer ${jar.adminKey}` });
  const file = await (await fetch(still.url + content, { headers: headers(still) })).arrayBuffer();
  const imported = await fetch(running.url + content, { method: 'PUT', headers: headers(running), body: file });
  expect(imported.status).toBe(201);
  await running.restore('future');
  const since = running.clock.now().getTime() - Date.parse('2031-05-01T00:00:00.000Z');
  expect(since).toBeGreaterThanOrEqual(0);
  expect(since).toBeLessThan(A_WHILE);
});

test('an advance that a restore cuts across ends with the reason, and the time is that of the snapshot', async () => {
  const jar = await open({ clockStart: '2026-01-01T00:00:00.000Z' });
  await jar.snapshot('start');
  for (let i = 0; i < 300; i++) await note(jar, `n${i}`, { text: 'x', removeIn: (i + 1) * 60_000 });
  const advancing = ask(jar, 'POST', '/_jar/clock/advance', { by: '36h' });
  await expect.poll(() => jar.clock.now().getTime()).toBeGreaterThan(Date.parse('2026-01-01T00:00:30.000Z'));
  await jar.restore('start');
  const { status, body } = await advancing;
  expect([status, body.error?.code]).toBeOneOf([
    [409, 'AdvanceInterrupted'],
    [200, undefined],
  ]);
  expect(jar.clock.now().toISOString()).toBe('2026-01-01T00:00:00.000Z');
  expect(await names(jar)).toEqual([]);
});

test('nodes on one database share snapshots, and a restore on one is a restore on all', async (context) => {
  const databaseUrl = await usePostgresDatabase(context, 'nodes');
  const secretKey = Buffer.alloc(32, 3).toString('base64url');
  const one = await open({ databaseUrl, secretKey, clockStart: '2026-01-01T00:00:00.000Z' });
  const two = await open({ databaseUrl, secretKey });
  await note(one, 'kept', { text: 'as it was', removeIn: HOUR });
  await note(one, 'also', { text: 'here' });
  expect((await ask(two, 'GET', '/notes/kept')).body.text).toBe('as it was');
  await one.snapshot('shared');
  expect((await ask(two, 'GET', '/_jar/snapshots')).body.value).toMatchObject([
    // The removal of the note, and of old change records, which a node schedules with its first change.
    { name: 'shared', counts: { work: expect.toBeOneOf([1, 2]) } },
  ]);

  await note(two, 'kept', { text: 'changed' });
  await note(two, 'also', { text: 'changed too' });
  await expect.poll(async () => (await ask(one, 'GET', '/notes/kept')).body.text).toBe('changed');
  await two.clock.advance('2h');
  const followed = readChanges(two, (seen) => seen.some((each) => each.kind === 'restore'));
  await one.restore('shared');
  expect((await followed).at(-1)).toMatchObject({ kind: 'restore', subject: '/_jar/snapshots/shared' });

  for (const jar of [one, two]) {
    await expect.poll(async () => (await ask(jar, 'GET', '/notes/kept')).body.text).toBe('as it was');
    await expect.poll(async () => (await ask(jar, 'GET', '/notes/also')).body.text).toBe('here');
    await expect.poll(() => jar.clock.now().toISOString()).toBe('2026-01-01T00:00:00.000Z');
  }
  await two.clock.advance('61m');
  expect(await names(one)).toEqual(['also']);
  const removed = (await readChanges(one, (seen) => seen.some((each) => each.kind === 'removed'))).filter(
    (each) => each.kind === 'removed',
  );
  expect(removed.map((each) => each.at)).toEqual([Date.parse('2026-01-01T01:00:00.000Z')]);
});
