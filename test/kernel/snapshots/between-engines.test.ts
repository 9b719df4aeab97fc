import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { SERVICES } from '../../../src/services.ts';
import { type StartJarOptions, startJar, type TestJar } from '../../../src/testing/index.ts';
import { SUBSCRIPTION } from '../../support/jars.ts';
import { usePostgresDatabase } from '../../support/use-postgres.ts';
import { NOTES } from './notes.ts';

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64url');
const API = 'api-version=2022-12-01';
const GROUPS = `/subscriptions/${SUBSCRIPTION}/resourcegroups`;

/** All lists that can be requested without a name. */
const LISTS = [
  `/subscriptions?${API}`,
  `/subscriptions/${SUBSCRIPTION}?${API}`,
  `/subscriptions/${SUBSCRIPTION}/providers?${API}`,
  `${GROUPS}?${API}&$top=1000`,
  `/subscriptions/${SUBSCRIPTION}/resources?${API}`,
  '/_jar/users',
  '/_jar/applications',
  '/_jar/clock',
  '/notes',
  '/notes/secretive/secret',
];

async function open(options: StartJarOptions): Promise<TestJar> {
  const jar = await startJar({ secretKey: SECRET_KEY, services: [...SERVICES, NOTES], ...options });
  onTestFinished(() => jar.close());
  return jar;
}

async function ask(jar: TestJar, method: string, path: string, body?: unknown): Promise<Response> {
  const token = path.startsWith('/_jar') ? jar.adminKey : await jar.token();
  const bytes = body instanceof Uint8Array;
  return fetch(jar.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && !bytes && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : bytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
  });
}

async function allLists(jar: TestJar): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const path of LISTS) {
    const response = await ask(jar, 'GET', path);
    expect([path, response.status]).toEqual([path, 200]);
    answers[path] = JSON.parse((await response.text()).replaceAll(jar.url, 'http://jar'));
  }
  return answers;
}

async function use(jar: TestJar): Promise<void> {
  for (let i = 0; i < 30; i++) {
    const created = await ask(jar, 'PUT', `${GROUPS}/group-${i}?${API}`, { location: 'eastus', tags: { n: `${i}` } });
    expect(created.status).toBe(201);
    await ask(jar, 'PUT', `/notes/note-${i}`, {
      text: `words ${'ä😀\u2028"\\'.repeat(i)}`,
      removeIn: (i + 1) * 60_000,
    });
  }
  await ask(jar, 'PUT', '/notes/secretive', { text: 'quiet', secret: 'kept in the vault' });
  await ask(jar, 'PUT', '/_jar/users/3f2504e0-4f89-41d3-9a0c-0305e82c3301', {
    username: 'new@jar.test',
    password: 'pw',
  });
  await jar.clock.advance('10m');
}

async function move(from: TestJar, to: TestJar): Promise<string[]> {
  await from.snapshot('move');
  const file = new Uint8Array(await (await ask(from, 'GET', '/_jar/snapshots/move/content')).arrayBuffer());
  const imported = await ask(to, 'PUT', '/_jar/snapshots/move/content', file);
  expect(imported.status).toBe(201);
  await to.restore('move');
  return gunzipSync(file).toString().trimEnd().split('\n').slice(1, -1);
}

test('a jar that moves from SQLite to PostgreSQL and back answers the same everywhere, and has the same to do', async (context) => {
  const first = await open({});
  await use(first);
  const answers = await allLists(first);
  const shared = await open({ databaseUrl: await usePostgresDatabase(context, 'move') });
  const content = await move(first, shared);
  expect(await allLists(shared)).toEqual(answers);
  const back = await open({});
  const again = await move(shared, back);
  expect(await allLists(back)).toEqual(answers);

  const stateOf = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('["c"'));
  expect(stateOf(again).map((line) => JSON.parse(line))).toEqual(stateOf(content).map((line) => JSON.parse(line)));
  expect(again.filter((line) => line.startsWith('["c"')).slice(0, -1)).toEqual(
    content.filter((line) => line.startsWith('["c"')),
  );
  for (const jar of [first, shared, back]) expect(await jar.clock.advance('1h')).toMatchObject({ fired: 20 });
  expect(await allLists(back)).toEqual(await allLists(first));
  expect(await allLists(shared)).toEqual(await allLists(first));
});

test('a jar with another secret key refuses the file, and says how to get the right one', async () => {
  const first = await open({});
  await first.snapshot('mine');
  const file = new Uint8Array(await (await ask(first, 'GET', '/_jar/snapshots/mine/content')).arrayBuffer());
  const other = await open({ secretKey: Buffer.alloc(32, 8).toString('base64url') });
  const refused = await ask(other, 'PUT', '/_jar/snapshots/mine/content', file);
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({
    error: { code: 'OtherSecretKey', message: expect.stringContaining('CLOUDJAR_SECRET_KEY') },
  });
  expect((await ask(other, 'GET', '/_jar/snapshots/mine')).status).toBe(404);
});

test('a release without a service leaves its documents out and says so', async () => {
  const first = await open({});
  await ask(first, 'PUT', '/notes/a', { text: 'left out' });
  await ask(first, 'PUT', `${GROUPS}/kept?${API}`, { location: 'eastus' });
  await first.snapshot('mine');
  const file = new Uint8Array(await (await ask(first, 'GET', '/_jar/snapshots/mine/content')).arrayBuffer());
  const smaller = await open({ services: SERVICES });
  const warnings = ["This release has no collection 'notes.notes'; a restore ignores its documents."];
  expect(await (await ask(smaller, 'PUT', '/_jar/snapshots/mine/content', file)).json()).toMatchObject({ warnings });
  const restored = await ask(smaller, 'POST', '/_jar/snapshots/mine/restore');
  expect(await restored.json()).toMatchObject({ status: 'restored', warnings });
  expect((await ask(smaller, 'GET', `${GROUPS}/kept?${API}`)).status).toBe(200);
});

test('no secret is in a file in the clear', async () => {
  const jar = await open({});
  const planted = { password: 'planted-password-1', clientSecret: 'planted-client-secret-2', note: 'planted-note-3' };
  const user = '3f2504e0-4f89-41d3-9a0c-0305e82c3302';
  expect(
    (await ask(jar, 'PUT', `/_jar/users/${user}`, { username: 'p@jar.test', password: planted.password })).status,
  ).toBe(201);
  const app = '3f2504e0-4f89-41d3-9a0c-0305e82c3303';
  const registered = await ask(jar, 'PUT', `/_jar/applications/${app}`, {
    displayName: 'planted',
    secret: planted.clientSecret,
  });
  expect([registered.status, await registered.text()]).toEqual([201, expect.any(String)]);
  await ask(jar, 'PUT', '/notes/secret', { text: 'x', secret: planted.note });
  const token = await jar.token();
  await jar.snapshot('secrets');
  const file = Buffer.from(await (await ask(jar, 'GET', '/_jar/snapshots/secrets/content')).arrayBuffer());
  const text = gunzipSync(file).toString();
  expect(text).toContain('p@jar.test');
  const secrets = [...Object.values(planted), token, token.split('.')[2]!, jar.adminKey, SECRET_KEY, 'PRIVATE KEY'];
  for (const secret of secrets) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, ''));
    expect(text).not.toContain(Buffer.from(secret).toString('hex'));
  }
  expect(text).not.toContain('auth.keys');
});
