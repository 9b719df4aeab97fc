import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startJar } from '../../../src/testing/index.ts';

const USERS = [
  { name: 'ada', email: 'ada@vendor.example' },
  { name: 'lin', email: 'lin@vendor.example' },
];
const APP = { owner: 'ada', name: 'phone', os: 'Android', platform: 'Java' };
const SECRET = '1e9da543-1064-427d-80a0-99d2a9ac93ee';

function seedOf(lifecycle: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-seed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'seed.json');
  writeFileSync(file, JSON.stringify({ lifecycle: { users: USERS, ...lifecycle } }));
  return file;
}

const shared = { token: 'a-token-that-two-people-have' };

it.each<[string, object, RegExp]>([
  [
    'a user of a name that is taken',
    { users: [...USERS, { name: 'Ada', email: 'a@b.c' }] },
    /The name 'Ada' is already taken/,
  ],
  ['an address that is none', { users: [{ name: 'ada', email: 'ada' }] }, /'ada' is not an e-mail address/],
  ['a token that is too short', { users: [{ ...USERS[0], token: 'short' }] }, /users\[0\]\.token must .*20/],
  [
    'a token that two have',
    { users: USERS.map((user) => ({ ...user, ...shared })) },
    /another user already has the token of 'lin'/,
  ],
  ['an owner who is not there', { apps: [{ ...APP, owner: 'bob' }] }, /'bob' is not among its users/],
  ['a system that there is not', { apps: [{ ...APP, os: 'BeOS' }] }, /apps\[0\]\.os must be/],
  ['a platform that there is not', { apps: [{ ...APP, platform: 'Swift' }] }, /apps\[0\]\.platform must be/],
  ['a secret that is no GUID', { apps: [{ ...APP, secret: 'z'.repeat(36) }] }, /apps\[0\]\.secret must/],
  [
    'a secret that two apps have',
    {
      apps: [
        { ...APP, secret: SECRET },
        { ...APP, name: 'desk', secret: SECRET.toUpperCase() },
      ],
    },
    /another app already has the secret of 'desk'/,
  ],
  [
    'an admin who is to be less',
    { organizations: [{ name: 'acme', admin: 'ada', members: [{ user: 'Ada', role: 'member' }] }] },
    /'Ada' is the admin of 'acme'/,
  ],
  [
    'a first manager who is to be less',
    { apps: [{ ...APP, collaborators: [{ user: 'ada', role: 'viewer' }] }] },
    /'ada' is the first manager of 'phone'/,
  ],
])('a seed with %s is refused', async (_, content, message) => {
  await expect(startJar({ seed: seedOf(content) })).rejects.toThrow(message);
});

it('a seed without tokens leaves the jar without a key of the service, until one is made', async () => {
  await using jar = await startJar({ seed: seedOf({}) });
  expect(await jar.keys()).not.toHaveProperty('lifecycle');
  const headers = { authorization: `Bearer ${jar.adminKey}` };
  const made = await fetch(`${jar.url}/_jar/lifecycle/users/lin/tokens`, { method: 'POST', headers });
  expect(made.status).toBe(201);
});
