import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startJar, type TestJar } from '../src/testing/index.ts';

const SUBSCRIPTION = '30000000-0000-4000-8000-0000000000f1';
const TENANT = '10000000-0000-4000-8000-000000000001';
const ADMIN = '10000000-0000-4000-8000-000000000011';
const RESOURCES = {
  subscriptions: [{ subscriptionId: SUBSCRIPTION, tenantId: TENANT, displayName: 'Mine' }],
  roles: [{ principalId: ADMIN, scope: '/', role: 'Owner' }],
};

function seedFile(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-seed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'seed.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

async function subscriptionsOf(jar: TestJar): Promise<string[]> {
  const headers = { authorization: `Bearer ${await jar.token()}` };
  const answer = await fetch(`${jar.url}/subscriptions?api-version=2022-12-01`, { headers });
  const { value } = (await answer.json()) as { value: { displayName: string }[] };
  return value.map(({ displayName }) => displayName);
}

test('a seed file replaces what it names, leaves the rest, and is what a reset goes back to', async () => {
  const jar = await startJar({ seed: seedFile({ resources: RESOURCES }) });
  onTestFinished(() => jar.close());
  expect(await subscriptionsOf(jar)).toEqual(['Mine']);
  const group = `${jar.url}/subscriptions/${SUBSCRIPTION}/resourcegroups/mine?api-version=2022-12-01`;
  const headers = { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json' };
  const put = await fetch(group, { method: 'PUT', headers, body: '{"location":"westeurope"}' });
  expect(put.status).toBe(201);
  await jar.reset();
  expect(await subscriptionsOf(jar)).toEqual(['Mine']);
  expect((await fetch(group, { headers })).status).toBe(404);
});

const mistakes: [title: string, content: unknown, message: RegExp][] = [
  ['is not JSON', '{', /seed\.json is not valid JSON/],
  ['is not an object', [], /seed\.json must hold a JSON object of sections/],
  [
    'names a section that is not there',
    { resorces: {} },
    /unknown section 'resorces'; there are directory, .*resources/,
  ],
  ['has a value that does not fit', { resources: { ...RESOURCES, roles: [{ principalId: 1 }] } }, /resources\.roles/],
];
for (const [title, content, message] of mistakes) {
  test(`a seed file that ${title} is refused with its name and the place`, async () => {
    await expect(startJar({ seed: seedFile(content) })).rejects.toThrow(message);
  });
}

test('a seed file that is not there is refused', async () => {
  await expect(startJar({ seed: '/nowhere/seed.json' })).rejects.toThrow(
    /\/nowhere\/seed\.json cannot be read: ENOENT/,
  );
});
