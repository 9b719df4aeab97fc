import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openJar } from '../../../src/jar/index.ts';
import { pruneSignIns, recordSignIn, signIns } from '../../../src/kernel/auth/sign-ins.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import { openSqlite } from '../../../src/kernel/store/index.ts';
import type { TestJar } from '../../../src/testing/index.ts';
import { STORES } from './stores.ts';
import {
  ADMIN,
  APP,
  APP_SECRET,
  askToken,
  COMMAND_LINE,
  control,
  MANAGEMENT,
  PAGE,
  PAGE_URI,
  PASSWORD,
  TENANT,
  Visitor,
} from './support.ts';

const SCOPE = `${MANAGEMENT}/.default`;
const HOSTILE = '<img src=x onerror=alert(1)>';

const log = async (jar: Pick<TestJar, 'url' | 'adminKey'>, query = '') =>
  (await control(jar, 'GET', `sign-ins${query}`)).body.value as Record<string, unknown>[];
const newest = async (jar: TestJar) => (await log(jar, '?$top=1'))[0];

const byPassword = (more: Record<string, string> = {}) => ({
  grant_type: 'password',
  client_id: COMMAND_LINE,
  username: 'admin@vendor.example',
  password: PASSWORD,
  scope: `${SCOPE} offline_access`,
  ...more,
});
const bySecret = (more: Record<string, string> = {}) => ({
  grant_type: 'client_credentials',
  client_id: APP,
  client_secret: APP_SECRET,
  scope: SCOPE,
  ...more,
});

describe.each(STORES)('%s: the log of sign-ins', (_, start) => {
  test('names who signed in, where, how and with which result, and contains no secret', async (context) => {
    await using jar = await start(context);
    const { body, headers } = await askToken(jar, byPassword(), undefined, { 'user-agent': HOSTILE });
    expect(await newest(jar)).toEqual({
      id: expect.any(String),
      at: new Date(jar.clock.now()).toISOString(),
      outcome: 'succeeded',
      flow: 'password',
      tenant: TENANT,
      applicationId: COMMAND_LINE,
      application: expect.any(String),
      userId: ADMIN,
      username: 'admin@vendor.example',
      resource: MANAGEMENT,
      scope: expect.stringContaining('user_impersonation'),
      address: expect.any(String),
      userAgent: HOSTILE,
      requestId: headers.get('x-ms-request-id'),
    });
    await askToken(jar, byPassword({ password: 'wrong-9c1' }));
    expect(await newest(jar)).toMatchObject({
      outcome: 'failed',
      userId: ADMIN,
      error: { code: 'invalid_grant', number: 50126 },
    });
    // A password that was typed into the wrong field is not kept.
    await askToken(jar, byPassword({ username: 'my-pass-77', password: 'wrong-9c1' }));
    expect(await newest(jar)).toMatchObject({ outcome: 'failed', error: { number: 50126 } });
    expect(await newest(jar)).not.toHaveProperty('username');
    const renewed = await askToken(jar, {
      grant_type: 'refresh_token',
      client_id: COMMAND_LINE,
      refresh_token: body.refresh_token ?? '',
    });
    expect(renewed.status).toBe(200);
    expect(await newest(jar)).toMatchObject({ outcome: 'succeeded', flow: 'refresh_token', userId: ADMIN });
    await askToken(jar, bySecret());
    expect(await newest(jar)).toMatchObject({ outcome: 'succeeded', flow: 'client_credentials', applicationId: APP });
    expect(await newest(jar)).not.toHaveProperty('userId');
    await askToken(jar, bySecret({ client_secret: 'wrong-9c2' }));
    expect(await newest(jar)).toMatchObject({ applicationId: APP, error: { code: 'invalid_client', number: 7000215 } });
    await askToken(jar, bySecret({ client_id: HOSTILE }));
    expect(await newest(jar)).toMatchObject({ applicationId: HOSTILE, error: { number: 700016 } });
    await askToken(jar, bySecret({ grant_type: 'magic' }));
    expect(await newest(jar)).toMatchObject({ flow: 'unknown', error: { code: 'unsupported_grant_type' } });
    const all = JSON.stringify(await log(jar));
    for (const secret of [PASSWORD, APP_SECRET, 'wrong-9c', 'my-pass', body.refresh_token, body.access_token])
      expect(all).not.toContain(`"${secret}`);
    expect(all).not.toContain('my-pass');
  });

  test('contains sign-ins on pages, with their wrong passwords and refusals', async (context) => {
    await using jar = await start(context);
    const request = { client_id: PAGE, redirect_uri: PAGE_URI, response_type: 'code', scope: `${SCOPE} openid` };
    const path = `/${TENANT}/oauth2/v2.0/authorize`;
    const visitor = new Visitor(jar.url);
    const page = await visitor.authorize(request, path);
    // Neither a page that asks for a password nor a poll for a device code ends a sign-in.
    expect(await log(jar)).toEqual([]);
    await visitor.submit(page, { username: 'admin', password: 'wrong' });
    expect(await newest(jar)).toMatchObject({
      flow: 'authorize',
      outcome: 'failed',
      applicationId: PAGE,
      userId: ADMIN,
      error: { number: 50126 },
    });
    await visitor.submit(page, { username: 'admin', password: PASSWORD });
    expect(await newest(jar)).toMatchObject({ flow: 'authorize', outcome: 'succeeded', userId: ADMIN });
    await new Visitor(jar.url).authorize({ ...request, prompt: 'none' }, path);
    expect(await newest(jar)).toMatchObject({ error: { code: 'login_required', number: 50058 } });
    await visitor.authorize({ ...request, redirect_uri: 'https://evil.example/' }, path);
    expect(await newest(jar)).toMatchObject({ applicationId: PAGE, error: { number: 50011 } });

    const codes = await fetch(`${jar.url}/common/oauth2/v2.0/devicecode`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: COMMAND_LINE, scope: SCOPE }),
    });
    const { device_code, user_code } = (await codes.json()) as { device_code: string; user_code: string };
    const poll = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: COMMAND_LINE, device_code };
    const before = (await log(jar)).length;
    expect((await askToken(jar, poll)).body.error).toBe('authorization_pending');
    expect(await log(jar)).toHaveLength(before);
    await visitor.visit('/devicelogin', {
      method: 'POST',
      body: new URLSearchParams({ user_code, username: 'admin', password: PASSWORD }),
    });
    expect(await newest(jar)).toMatchObject({ flow: 'device page', outcome: 'succeeded', applicationId: COMMAND_LINE });
    expect((await askToken(jar, poll)).status).toBe(200);
    expect(await newest(jar)).toMatchObject({ flow: 'device_code', outcome: 'succeeded', userId: ADMIN });
    expect(JSON.stringify(await log(jar))).not.toContain(user_code);
  });

  test('is a list like every other: filtered, ordered, in pages', async (context) => {
    await using jar = await start(context);
    for (const password of [PASSWORD, 'a', PASSWORD, 'b']) await askToken(jar, byPassword({ password }));
    await askToken(jar, bySecret());
    const failed = await log(jar, "?$filter=outcome eq 'failed' and error/number eq 50126");
    expect(failed).toHaveLength(2);
    expect(await log(jar, `?$filter=applicationId eq '${APP}'`)).toHaveLength(1);
    expect(await log(jar, "?$filter=username eq 'ADMIN@vendor.example'")).toHaveLength(4);
    const { body } = await control(jar, 'GET', 'sign-ins?$top=2');
    expect(body.value).toHaveLength(2);
    const next = await control(jar, 'GET', body.nextLink.slice(body.nextLink.indexOf('sign-ins')));
    expect([...body.value, ...next.body.value].map(({ id }: { id: string }) => id)).toEqual(
      (await log(jar)).slice(0, 4).map(({ id }) => id),
    );
    expect((await fetch(`${jar.url}/_jar/sign-ins`)).status).toBe(401);
    await jar.reset();
    expect(await log(jar)).toEqual([]);
  });
});

describe('the log of sign-ins', () => {
  test('outlives the process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cloudjar-sign-ins-'));
    const flags = { port: 0, httpsPort: 0, data: folder, logLevel: 'silent' } as const;
    const config = loadConfig({ flags, env: {}, cwd: folder });
    try {
      const before = await openJar({ config });
      await askToken(before, bySecret());
      const recorded = await log(before);
      expect(recorded).toHaveLength(1);
      await before.close();
      const after = await openJar({ config });
      expect(await log(after)).toEqual(recorded);
      await after.close();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('keeps a bounded number of the newest', async () => {
    const store = await openSqlite({ collections: [signIns] });
    const signIn = { at: 0, flow: 'password', tenant: TENANT, address: '::1', requestId: '' };
    for (let i = 0; i < 20; i++) await recordSignIn(store, { ...signIn, requestId: String(i) });
    await pruneSignIns(store, 5);
    const { items } = await store.query(signIns, { order: [{ field: 'order' }], limit: 100 });
    expect(items.map(({ value }) => value.requestId)).toEqual(['15', '16', '17', '18', '19']);
    // One in thirty-two prunes, by chance: that none of so many does is impossible.
    for (let i = 0; i < 1_500; i++) await recordSignIn(store, signIn, 10);
    expect(await store.count(signIns)).toBeLessThan(1_500);
    await store.close();
  });
});

test('a disabled user signs in nowhere, and keeps everything', async () => {
  const [, start] = STORES[0] ?? [];
  await using jar = await (start as NonNullable<typeof start>)({} as never);
  const id = '10000000-0000-4000-8000-00000000abcd';
  const user = { username: 'leaver@vendor.example', password: 'pass-1' };
  expect((await control(jar, 'PUT', `users/${id}`, user)).body).toMatchObject({ enabled: true });
  const form = byPassword(user);
  const first = await askToken(jar, form);
  expect(first.status).toBe(200);
  const { password, ...rest } = user;
  expect((await control(jar, 'PUT', `users/${id}`, { ...rest, enabled: false })).body).toMatchObject({
    enabled: false,
  });
  expect((await askToken(jar, form)).body).toMatchObject({ error: 'invalid_grant', error_codes: [50057] });
  // Without the password, nobody learns that the user is disabled.
  expect((await askToken(jar, { ...form, password: 'x' })).body.error_codes).toEqual([50126]);
  const refresh = {
    grant_type: 'refresh_token',
    client_id: COMMAND_LINE,
    refresh_token: first.body.refresh_token ?? '',
  };
  expect((await askToken(jar, refresh)).body.error_codes).toEqual([50057]);
  expect((await control(jar, 'GET', 'users?$filter=enabled eq false')).body.value).toMatchObject([{ id }]);
  await control(jar, 'PUT', `users/${id}`, rest);
  expect((await askToken(jar, form)).status).toBe(200);
});
