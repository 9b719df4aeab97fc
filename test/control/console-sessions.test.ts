import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issuePass } from '../../src/control/console/passes.ts';
import { lifetimeOf } from '../../src/kernel/auth/index.ts';
import { startJar, type TestJar } from '../../src/testing/index.ts';
import { withRandomKey } from './console-support.ts';

let jar: TestJar;
beforeAll(async () => {
  jar = await startJar();
});
afterAll(() => jar.close());

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly cookie?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly of?: TestJar;
}

/** As a browser sends a request of the console's own page. */
function ask(path: string, { method = 'GET', body, cookie, headers, of = jar }: Asked = {}): Promise<Response> {
  return fetch(`${of.url}${path}`, {
    method,
    headers: {
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

const withKey = (of = jar) => ({ authorization: `Bearer ${of.adminKey}` });

async function newLink(body: object = {}, of = jar): Promise<{ url: string; role: string; expiresAt: string }> {
  const answer = await ask('/_jar/console/links', { method: 'POST', body, headers: withKey(of), of });
  expect(answer.status).toBe(200);
  return answer.json() as Promise<{ url: string; role: string; expiresAt: string }>;
}

const codeOf = (url: string): string => new URL(url).hash.replace('#enter=', '');
const enter = (credential: object, of = jar) => ask('/_jar/console/sessions', { method: 'POST', body: credential, of });
const cookieOf = (answer: Response): string => answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';

async function session(role: 'admin' | 'reader', of = jar): Promise<string> {
  const answer = await enter({ code: codeOf((await newLink({ role }, of)).url) }, of);
  expect(answer.status).toBe(200);
  return cookieOf(answer);
}

const errorOf = async (answer: Response) => {
  const { error } = (await answer.json()) as { error: { code: string } };
  return [answer.status, error.code];
};

describe('one-time links', () => {
  test('start one session, whose cookie scripts cannot read and other sites do not send', async () => {
    const { url, role, expiresAt } = await newLink({ page: 'requests/42?tab=json' });
    expect(url).toMatch(new RegExp(`^${jar.url}/console/requests/42\\?tab=json#enter=[\\w-]+$`));
    expect(url).not.toContain(jar.adminKey);
    expect(role).toBe('admin');
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    const answer = await enter({ code: codeOf(url) });
    expect(answer.status).toBe(200);
    const cookie = answer.headers.get('set-cookie');
    expect(cookie).toMatch(/^cloudjar-console-\w+=[\w-]+; Path=\/_jar; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    expect(cookie).not.toContain(jar.adminKey);
    const shown = await ask('/_jar/console/session', { cookie: cookieOf(answer) });
    expect(await shown.json()).toEqual({ role: 'admin', expiresAt: expect.any(String) });
    expect(await errorOf(await enter({ code: codeOf(url) }))).toEqual([401, 'LinkUsed']);
  });

  test('open one session, however many browsers use the link at the same time', async () => {
    const code = codeOf((await newLink()).url);
    const answers = await Promise.all(Array.from({ length: 8 }, () => enter({ code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(401)]);
  });

  test('are still used after a reset', async () => {
    const code = codeOf((await newLink()).url);
    expect((await enter({ code })).status).toBe(200);
    await jar.reset();
    expect(await errorOf(await enter({ code }))).toEqual([401, 'LinkUsed']);
  });

  test('of an earlier process are refused by a jar in memory, which has forgotten which were used', async () => {
    const keys = { adminKey: 'an-admin-key-of-this-test', secretKey: 'B'.repeat(43) };
    const first = await startJar(keys);
    const code = codeOf((await newLink({}, first)).url);
    expect((await enter({ code }, first)).status).toBe(200);
    await first.close();
    await using second = await startJar(keys);
    expect(await errorOf(await enter({ code }, second))).toEqual([401, 'LinkExpired']);
    expect((await enter({ code: codeOf((await newLink({}, second)).url) }, second)).status).toBe(200);
  });

  test('of another jar, invented ones and altered ones are refused', async () => {
    await using other = await startJar();
    const code = codeOf((await newLink()).url);
    expect(await errorOf(await enter({ code }, other))).toEqual([401, 'LinkUnknown']);
    expect(await errorOf(await enter({ code: 'x'.repeat(52) }))).toEqual([401, 'LinkUnknown']);
    // The role is the first byte.
    const altered = Buffer.from(code, 'base64url');
    altered.writeUInt8(1 - altered.readUInt8(0), 0);
    expect(await errorOf(await enter({ code: altered.toString('base64url') }))).toEqual([401, 'LinkUnknown']);
    expect((await enter({ code })).status).toBe(200);
  });

  test('need the admin key, or a session that may change something', async () => {
    expect(await errorOf(await ask('/_jar/console/links', { method: 'POST' }))).toEqual([401, 'AdminKeyMissing']);
    const reader = await session('reader');
    const refused = await ask('/_jar/console/links', { method: 'POST', cookie: reader });
    expect(await errorOf(refused)).toEqual([403, 'ReadersMayNot']);
  });

  test('lead to a page of the console, wherever the given page points', async () => {
    for (const page of [
      '//elsewhere.example/x',
      'https://elsewhere.example',
      '\\\\elsewhere.example',
      'a#enter=b',
      '../../_jar/stop',
      '../_jar/docs',
      'a/../../_jar/docs',
      '..//elsewhere.example',
      '%2e%2E/_jar/docs',
      '.%2e/_jar/docs?a=/../b',
      '..\\_jar',
    ]) {
      const text = (await newLink({ page })).url;
      const url = new URL(text);
      expect(url.origin, page).toBe(new URL(jar.url).origin);
      expect(url.pathname, page).toMatch(/^\/console\/(?!\/)/);
      expect(text.split('?', 1)[0], page).not.toMatch(/\/(\.|%2e){2}(\/|$)/i);
      expect(url.hash, page).toMatch(/^#enter=[\w-]+$/);
    }
  });
});

describe('sessions', () => {
  test('start with the admin key too, and not with another', async () => {
    expect((await enter({ key: jar.adminKey })).status).toBe(200);
    expect(await errorOf(await enter({ key: 'wrong' }))).toEqual([403, 'AdminKeyWrong']);
    expect(await errorOf(await enter({}))).toEqual([400, 'CodeOrKey']);
    expect(await errorOf(await enter({ key: jar.adminKey, code: 'x' }))).toEqual([400, 'CodeOrKey']);
  });

  test('are marked Secure over HTTPS', async () => {
    const { trust } = await import('../support/trust.ts');
    trust(jar);
    const answer = await fetch(`${jar.httpsUrl}/_jar/console/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key: jar.adminKey }),
    });
    expect(answer.headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  test('read and change the jar like the admin key, survive a reset, and end when they are ended', async () => {
    const cookie = await session('admin');
    expect((await ask('/_jar/clock', { cookie })).status).toBe(200);
    expect((await ask('/_jar/keys', { cookie })).status).toBe(200);
    expect((await ask('/_jar/reset', { method: 'POST', cookie })).status).toBe(200);
    expect((await ask('/_jar/clock', { cookie })).status).toBe(200);
    const ended = await ask('/_jar/console/session', { method: 'DELETE', cookie });
    expect(ended.status).toBe(204);
    expect(ended.headers.get('set-cookie')).toMatch(/^cloudjar-console-\w+=; .*Max-Age=0$/);
    // Only the browser forgets its cookie: the jar stores no sessions.
    expect((await ask('/_jar/clock', { cookie })).status).toBe(200);
    expect(await errorOf(await ask('/_jar/console/session', { cookie: 'cloudjar-console=x' }))).toEqual([
      401,
      'AdminKeyMissing',
    ]);
  });

  test('of another jar do not open this one, and another admin key ends them', async () => {
    await using other = await startJar();
    const foreign = (await session('admin', other)).split('=')[1];
    const [name] = (await session('admin')).split('=');
    expect((await ask('/_jar/clock', { cookie: `${name}=${foreign}` })).status).toBe(401);
    const keys = withRandomKey();
    const pass = issuePass(keys, 'session', { role: 'admin', expiresAt: Date.now() + 60_000 });
    expect((await ask('/_jar/clock', { cookie: `${name}=${pass}` })).status).toBe(401);
  });

  test('survive a restart with the same keys, and end when only the admin key is another', async () => {
    const secretKey = 'B'.repeat(43);
    const restarted = (adminKey: string) => startJar({ adminKey, secretKey });
    let cookie = '';
    {
      await using first = await restarted('the-first-admin-key');
      cookie = await session('admin', first);
    }
    {
      await using second = await restarted('the-first-admin-key');
      expect((await ask('/_jar/clock', { cookie, of: second })).status).toBe(200);
    }
    await using third = await restarted('the-second-admin-key');
    expect(await errorOf(await ask('/_jar/clock', { cookie, of: third }))).toEqual([401, 'AdminKeyMissing']);
  });

  test('are not accepted in requests that another site causes', async () => {
    const cookie = await session('admin');
    const foreignPage = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' };
    expect(await errorOf(await ask('/_jar/reset', { method: 'POST', cookie, headers: foreignPage }))).toEqual([
      403,
      'ForeignOrigin',
    ]);
    for (const site of ['same-site', 'cross-site']) {
      expect((await ask('/_jar/clock', { cookie, headers: { 'sec-fetch-site': site } })).status, site).toBe(401);
    }
    expect((await ask('/_jar/clock', { cookie, headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(200);
    // An address typed by a person is read, but changes nothing.
    expect((await ask('/_jar/metrics', { cookie, headers: { 'sec-fetch-site': 'none' } })).status).toBe(200);
    expect((await ask('/_jar/reset', { method: 'POST', cookie, headers: { 'sec-fetch-site': 'none' } })).status).toBe(
      401,
    );
  });

  test('of readers see everything but secrets, and change nothing', async () => {
    const cookie = await session('reader');
    for (const path of [
      '/_jar/clock',
      '/_jar/requests',
      '/_jar/deliveries',
      '/_jar/users',
      '/_jar/limits',
      '/_jar/status',
    ]) {
      expect((await ask(path, { cookie })).status, path).toBe(200);
    }
    for (const [method, path] of [
      ['POST', '/_jar/reset'],
      ['POST', '/_jar/clock/advance'],
      ['DELETE', '/_jar/deliveries'],
      ['PUT', '/_jar/snapshots/mine'],
      ['PATCH', '/_jar/limits'],
      ['POST', '/_jar/stop'],
    ] as const) {
      expect(await errorOf(await ask(path, { method, cookie })), path).toEqual([403, 'ReadersMayNot']);
    }
  });

  test('get keys that only read, of the services that have them', async () => {
    const cookie = await session('reader');
    const keys = (await (await ask('/_jar/keys', { cookie })).json()) as Record<string, string>;
    expect(Object.keys(keys)).toEqual(['lifecycle']);
    const headers = { 'x-api-token': String(keys.lifecycle) };
    expect((await ask('/v0.1/apps', { headers })).status).toBe(200);
    const made = { display_name: 'Shop', os: 'Android', platform: 'Java' };
    expect((await ask('/v0.1/apps', { method: 'POST', headers, body: made })).status).toBe(403);
    expect((await ask('/v0.1/api_tokens', { headers })).status).toBe(403);
    const full = (await (await ask('/_jar/keys', { cookie: await session('admin') })).json()) as object;
    expect(Object.keys(full)).toEqual(['translator', 'lifecycle']);
  });
});

describe('tokens of readers', () => {
  test('read every service and change none', async () => {
    const cookie = await session('reader');
    const issued = await ask('/_jar/tokens', { method: 'POST', cookie });
    const { access_token } = (await issued.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}` };
    const groups = `/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups`;
    expect((await ask(`${groups}?api-version=2021-04-01`, { headers })).status).toBe(200);
    const body = { location: 'westus' };
    const refused = await ask(`${groups}/mine?api-version=2021-04-01`, { method: 'PUT', body, headers });
    expect(await errorOf(refused)).toEqual([403, 'ReadOnlyToken']);
    expect((await ask(`${groups}/mine?api-version=2021-04-01`, { headers })).status).toBe(404);
  });

  test('last no longer than the session', async () => {
    const lifetimeFor = async (role: 'admin' | 'reader'): Promise<number> => {
      const cookie = await session(role);
      const answer = await ask('/_jar/tokens', { method: 'POST', cookie, body: { ttl: '365d' } });
      return ((await answer.json()) as { expires_in: number }).expires_in;
    };
    expect(await lifetimeFor('admin')).toBe(365 * 24 * 3600);
    expect(await lifetimeFor('reader')).toBeLessThanOrEqual(12 * 3600);
  });

  test("end with the session by the system's clock, which the jar's clock cannot delay", async () => {
    const cookie = await session('reader');
    const { expiresAt } = (await (await ask('/_jar/console/session', { cookie })).json()) as { expiresAt: string };
    const issued = await ask('/_jar/tokens', { method: 'POST', cookie });
    const { access_token } = (await issued.json()) as { access_token: string };
    const claims = decodeJwt(access_token);
    expect(lifetimeOf(claims).wallEnd).toBe(Math.floor(Date.parse(expiresAt) / 1000) * 1000);
  });

  test('cannot be claimed away', async () => {
    const cookie = await session('reader');
    const answer = await ask('/_jar/tokens', { method: 'POST', cookie, body: { claims: { jar_read_only: 'false' } } });
    expect(await errorOf(answer)).toEqual([400, 'ClaimTaken']);
  });
});
