import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJar, type TestJar } from '../../src/testing/index.ts';
import { askToken, control, MANAGEMENT, OTHER_TENANT, TENANT, Visitor } from '../services/identity/support.ts';

let jar: TestJar;
const ID = '40000000-0000-4000-8000-000000000001';

beforeAll(async () => {
  jar = await startJar();
});
afterAll(() => jar.close());

test('an application registered while the jar runs signs in with its own secret, which is never given back', async () => {
  const body = {
    alias: 'mine',
    displayName: 'Mine',
    redirectUris: ['https://mine.example/back'],
    secret: 'my own secret',
  };
  const made = await control(jar, 'PUT', `applications/${ID}`, body);
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    id: ID,
    tenantId: TENANT,
    alias: 'mine',
    public: false,
    implicit: false,
    hasSecret: true,
  });
  const again = await control(jar, 'PUT', `applications/${ID}`, { ...body, secret: undefined, displayName: 'Renamed' });
  expect(again).toMatchObject({
    status: 200,
    body: { displayName: 'Renamed', objectId: made.body.objectId, hasSecret: true },
  });
  for (const path of [`applications/${ID}`, 'applications/mine', 'applications']) {
    const seen = await control(jar, 'GET', path);
    expect(seen.text).toContain('Renamed');
    expect(seen.text).not.toMatch(/my own secret|secretHash/);
  }
  const form = { grant_type: 'client_credentials', client_id: ID, scope: `${MANAGEMENT}/.default` };
  expect((await askToken(jar, { ...form, client_secret: 'my own secret' })).status).toBe(200);
  expect((await askToken(jar, { ...form, client_secret: 'cloudjar-app-secret' })).status).toBe(401);
  expect((await control(jar, 'DELETE', `applications/${ID}`)).status).toBe(204);
  expect((await control(jar, 'DELETE', `applications/${ID}`)).status).toBe(404);
  expect((await askToken(jar, { ...form, client_secret: 'my own secret' })).body.error).toBe('unauthorized_client');
});

test('a user registered while the jar runs signs in with an own password, in the tenant that was named', async () => {
  const body = {
    username: 'zoe@other.example',
    displayName: 'Zoe',
    tenantId: OTHER_TENANT,
    password: 'open sesame',
    attributes: { licensed: true },
  };
  const made = await control(jar, 'PUT', `users/${ID}`, body);
  expect(made).toMatchObject({
    status: 201,
    body: { alias: 'zoe@other.example', hasPassword: true, attributes: { licensed: true } },
  });
  expect((await control(jar, 'GET', 'users')).text).not.toMatch(/open sesame|scrypt/);
  const request = {
    client_id: '10000000-0000-4000-8000-0000000000b1',
    redirect_uri: 'http://localhost:3000/',
    response_type: 'token',
  };
  expect(
    (await new Visitor(jar.url).signIn(request, 'zoe@other.example', 'open sesame')).sent.access_token,
  ).toBeTruthy();
  expect((await new Visitor(jar.url).signIn(request, 'zoe@other.example', 'cloudjar')).status).toBe(400);
  const token = await jar.token({ user: 'zoe@other.example' });
  expect(token).toBeTruthy();
  expect((await control(jar, 'DELETE', 'users/zoe@other.example')).status).toBe(204);
  expect((await control(jar, 'GET', `users/${ID}`)).body.error.code).toBe('NoSuchUser');
});

const refusals: [string, string, object, number, string][] = [
  ['an id that is no GUID', 'applications/mine', {}, 400, 'BadId'],
  ['a tenant that is not there', `applications/${ID}`, { tenantId: ID }, 400, 'UnknownTenant'],
  ['an alias that a user has', `applications/${ID}`, { alias: 'Admin' }, 409, 'NameTaken'],
  ['an alias that an application has', `users/${ID}`, { username: 'new', alias: 'page' }, 409, 'NameTaken'],
  ['a sign-in name that somebody has', `users/${ID}`, { username: 'ADMIN@vendor.example' }, 409, 'NameTaken'],
  [
    'a script for a redirect URI',
    `applications/${ID}`,
    { redirectUris: ['javascript:alert(1)'] },
    400,
    'BadRedirectUri',
  ],
  ['a relative redirect URI', `applications/${ID}`, { redirectUris: ['/back'] }, 400, 'BadRedirectUri'],
  [
    'a redirect URI with a fragment',
    `applications/${ID}`,
    { redirectUris: ['https://a.example/#x'] },
    400,
    'BadRedirectUri',
  ],
  [
    'a redirect URI with a line break',
    `applications/${ID}`,
    { redirectUris: ['https://a.example/\r\nx: y'] },
    400,
    'BadRedirectUri',
  ],
  [
    'a redirect URI with a password',
    `applications/${ID}`,
    { redirectUris: ['https://u:p@a.example/'] },
    400,
    'BadRedirectUri',
  ],
  ['an unknown property', `applications/${ID}`, { secretHash: 'x' }, 400, 'InvalidBody'],
  ['a user without a sign-in name', `users/${ID}`, {}, 400, 'InvalidBody'],
];
test.each(refusals)('refuses %s', async (_, path, body, status, code) => {
  const refused = await control(jar, 'PUT', path, body);
  expect(refused).toMatchObject({ status, body: { error: { code } } });
});

test('a user is a guest of the tenants that are named, each once, and of none by default', async () => {
  const path = 'users/40000000-0000-4000-8000-000000000077';
  const user = { username: 'guest@vendor.example', password: 'open sesame' };
  const guestOf = [OTHER_TENANT.toUpperCase(), OTHER_TENANT, TENANT];
  expect((await control(jar, 'PUT', path, { ...user, guestOf })).body.guestOf).toEqual([OTHER_TENANT]);
  for (const bad of [['nowhere.example'], Array.from({ length: 21 }, () => OTHER_TENANT), OTHER_TENANT]) {
    expect((await control(jar, 'PUT', path, { ...user, guestOf: bad })).status).toBe(400);
  }
  expect((await control(jar, 'GET', path)).body.guestOf).toEqual([OTHER_TENANT]);
  expect((await control(jar, 'PUT', path, user)).body).not.toHaveProperty('guestOf');
});

test('nothing can be registered without the admin key', async () => {
  const response = await fetch(`${jar.url}/_jar/applications/${ID}`, {
    method: 'PUT',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
  expect(response.status).toBe(401);
});

test('the tenants are a list', async () => {
  const { body } = await control(jar, 'GET', "tenants?$filter=domain eq 'VENDOR.example'");
  expect(body.value).toEqual([{ id: TENANT, domain: 'vendor.example', displayName: expect.any(String) }]);
  expect((await control(jar, 'GET', 'tenants')).body.value.map(({ id }: { id: string }) => id)).toContain(OTHER_TENANT);
});
