import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

test('the example of docs/reference/seed.md is a seed: its users and applications have what they prove themselves with', async () => {
  const page = readFileSync(new URL('../docs/reference/seed.md', import.meta.url), 'utf8');
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const jar = await startJar({ seed: seedFile(example) });
  onTestFinished(() => jar.close());
  const scope = 'https://management.vendor.example/.default';
  const ask = async (form: Record<string, string>): Promise<number> => {
    const address = `${jar.url}/acme.example/oauth2/v2.0/token`;
    return (await fetch(address, { method: 'POST', body: new URLSearchParams({ scope, ...form }) })).status;
  };
  const app = { client_id: '30000000-0000-4000-8000-0000000000a1' };
  const signIn = { ...app, grant_type: 'password', username: 'admin' };
  // The second round runs after a reset, which takes the same passwords from the seed.
  for (let round = 0; round < 2; round++) {
    expect(await subscriptionsOf(jar)).toEqual(['Acme production']);
    const secret = 'a secret of the nightly build';
    expect(await ask({ ...app, grant_type: 'client_credentials', client_secret: secret })).toBe(200);
    expect(await ask({ ...app, grant_type: 'client_credentials', client_secret: 'cloudjar-app-secret' })).toBe(401);
    const password = 'correct horse battery staple';
    expect(await ask({ ...signIn, client_secret: secret, password })).toBe(200);
    expect(await ask({ ...signIn, client_secret: secret, password: 'cloudjar' })).toBe(400);
    await jar.reset();
  }
});

const mistakes: [title: string, content: unknown, message: RegExp][] = [
  ['is not JSON', '{', /seed\.json is not valid JSON/],
  ['is not an object', [], /seed\.json must contain a JSON object of sections/],
  [
    'names a section that is not there',
    { resorces: {} },
    /unknown section 'resorces'; there are directory, .*resources/,
  ],
  ['has a field that is not there', { directory: { tenants: [], users: [], applications: [], user: [] } }, /directory/],
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

test('a seed with a certificate that cannot be read starts no jar, and says whose it is', async () => {
  const id = '30000000-0000-4000-8000-0000000000a1';
  const application = { id, objectId: id, tenantId: TENANT, alias: 'ci', displayName: 'CI', redirectUris: [] };
  const applications = [{ ...application, public: false, implicit: false, certificates: ['nonsense'] }];
  const tenants = [{ id: TENANT, domain: 'vendor.example', displayName: 'Vendor Example' }];
  const seed = seedFile({ directory: { tenants, users: [], applications } });
  await expect(startJar({ seed })).rejects.toThrow(`an invalid certificate of the application ${id}`);
});
