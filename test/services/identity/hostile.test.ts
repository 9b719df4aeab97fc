import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openJar } from '../../../src/jar/index.ts';
import { users } from '../../../src/kernel/auth/directory.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import { grants, sessions } from '../../../src/services/identity/collections.ts';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { altered } from '../../support/altered.ts';
import { trust } from '../../support/trust.ts';
import {
  APP,
  APP_SECRET,
  askToken,
  COMMAND_LINE,
  control,
  MANAGEMENT,
  PAGE,
  PAGE_URI,
  PASSWORD,
  Visitor,
} from './support.ts';

let jar: TestJar;
const request = { client_id: PAGE, redirect_uri: PAGE_URI, response_type: 'token', state: 's' };

beforeAll(async () => {
  jar = await startJar();
});
afterAll(() => jar.close());

const visitor = (): Visitor => new Visitor(jar.url);

describe('markup in what a caller sends stays text', () => {
  const attacks = [
    '"><script>alert(1)</script>',
    "' onfocus='alert(1)' autofocus='",
    '<img src=x onerror=alert(1)>',
    '</title><svg onload=alert(1)>',
    'javascript:alert(1)',
  ];
  const places = [
    'state',
    'login_hint',
    'redirect_uri',
    'client_id',
    'nonce',
    'scope',
    'prompt',
    'response_mode',
    'resource',
  ];
  test.each(places)('%s', async (place) => {
    for (const attack of attacks) {
      const seen = await visitor().authorize({ ...request, [place]: attack });
      expect(seen.text).not.toMatch(/<script>alert|<img|<svg|onfocus='alert/);
      expect(seen.location === undefined || seen.location.href.startsWith(PAGE_URI)).toBe(true);
    }
  });

  test('in the user name that was typed, and in a form that posts itself', async () => {
    const typed = await visitor().signIn(request, '"><script>alert(1)</script>', 'x');
    expect(typed.text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    const posted = await visitor().signIn({
      ...request,
      response_mode: 'form_post',
      state: '"><script>alert(1)</script>',
    });
    expect(posted.text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  });

  test('in the name of the tenant and of a registered application', async () => {
    const tenant = await visitor().visit('/%3Cscript%3Ealert(1)%3C%2Fscript%3E/oauth2/authorize');
    expect(tenant.text).not.toContain('<script>alert');
    const id = '30000000-0000-4000-8000-000000000002';
    await control(jar, 'PUT', `applications/${id}`, {
      displayName: '<script>alert(1)</script>',
      public: true,
      implicit: true,
      redirectUris: [PAGE_URI],
    });
    const page = await visitor().authorize({ ...request, client_id: id });
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });
});

test('every page forbids frames, foreign content and scripts but its own', async () => {
  for (const page of [
    await visitor().authorize(request),
    await visitor().authorize({}),
    await visitor().visit('/common/login'),
  ]) {
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  }
});

test('a state with line breaks cannot add headers to the redirect', async () => {
  const seen = await visitor().authorize({ ...request, prompt: 'none', state: 'a\r\nset-cookie: x=y' });
  expect(seen.status).toBe(302);
  expect(seen.headers.get('set-cookie')).toBeNull();
  expect(seen.sent.state).toBe('a\r\nset-cookie: x=y');
});

describe('the sign-in form', () => {
  const filled = { username: 'admin', password: PASSWORD };

  test('is worth nothing in another browser, without its cookie, without its seal, or with a broken one', async () => {
    const [attacker, victim] = [visitor(), visitor()];
    const theirs = await attacker.authorize(request);
    expect((await victim.submit(theirs, filled)).status).toBe(400);
    await victim.authorize(request);
    const planted = await victim.submit(theirs, filled);
    expect(planted.status).toBe(400);
    expect(planted.headers.get('set-cookie')).toBeNull();
    expect((await victim.visit('/common/login', { method: 'POST', body: new URLSearchParams(filled) })).status).toBe(
      400,
    );
    const broken = await victim.visit('/common/login', {
      method: 'POST',
      body: new URLSearchParams({ ...filled, flow: 'AAAA' }),
    });
    expect(broken.status).toBe(400);
    const own = await victim.authorize(request);
    const flow = /name="flow" value="([^"]*)"/.exec(own.text)?.[1] ?? '';
    const changed = altered(flow, 30);
    expect(
      (await victim.visit('/common/login', { method: 'POST', body: new URLSearchParams({ ...filled, flow: changed }) }))
        .status,
    ).toBe(400);
    expect((await victim.submit(own, filled)).status).toBe(302);
  });

  test('grows stale', async () => {
    await using own = await startJar({ strictTokenExpiry: true });
    const browser = new Visitor(own.url);
    const page = await browser.authorize(request);
    await own.clock.advance('5h');
    expect((await browser.submit(page, filled)).status).toBe(400);
  });

  test('does not lead to an address that was taken off the list while it was open', async () => {
    const id = '30000000-0000-4000-8000-000000000003';
    const register = (redirectUris: string[]) =>
      control(jar, 'PUT', `applications/${id}`, { public: true, implicit: true, redirectUris });
    await register([PAGE_URI]);
    const browser = visitor();
    const page = await browser.authorize({ ...request, client_id: id });
    await register(['https://else.example/']);
    const seen = await browser.submit(page, filled);
    expect(seen.status).toBe(400);
    expect(seen.location).toBeUndefined();
  });
});

describe('the session', () => {
  test('that was planted in a browser is replaced at sign-in', async () => {
    const attacker = visitor();
    await attacker.signIn(request, 'licensed');
    const victim = visitor();
    for (const [name, value] of attacker.cookies) if (name.includes('session')) victim.cookies.set(name, value);
    const page = await victim.authorize({ ...request, prompt: 'login' });
    expect((await victim.submit(page, { username: 'admin', password: PASSWORD })).status).toBe(302);
    const [name] = [...victim.cookies.keys()].filter((key) => key.includes('session'));
    expect(victim.cookies.get(name ?? '')).not.toBe(attacker.cookies.get(name ?? ''));
    expect((await attacker.authorize({ ...request, prompt: 'none' })).sent.error).toBe('login_required');
  });

  test('an invented one identifies no user', async () => {
    const browser = visitor();
    await browser.signIn(request);
    for (const name of browser.cookies.keys()) if (name.includes('session')) browser.cookies.set(name, 'x'.repeat(43));
    expect((await browser.authorize({ ...request, prompt: 'none' })).sent.error).toBe('login_required');
  });

  test('its cookie is out of reach of scripts', async () => {
    const landed = await visitor().signIn(request);
    expect(landed.headers.get('set-cookie')).toMatch(
      /^cloudjar-session-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  test('its cookie reaches hidden frames of other sites, over https alone', async () => {
    trust(jar);
    const landed = await new Visitor(jar.httpsUrl).signIn(request);
    const cookie = /^__Host-cloudjar-session-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=None; Secure$/;
    expect(landed.headers.get('set-cookie')).toMatch(cookie);
  });

  test('ends for a user who was removed', async () => {
    const id = '30000000-0000-4000-8000-000000000004';
    await control(jar, 'PUT', `users/${id}`, {
      username: 'leaver@vendor.example',
      alias: 'leaver',
      password: 'pass phrase',
    });
    const browser = visitor();
    expect((await browser.signIn(request, 'leaver', 'pass phrase')).sent.access_token).toBeTruthy();
    const form = {
      grant_type: 'password',
      client_id: COMMAND_LINE,
      username: 'leaver',
      password: 'pass phrase',
      scope: `${MANAGEMENT}/.default offline_access`,
    };
    const tokens = await askToken(jar, form);
    await control(jar, 'DELETE', `users/${id}`);
    expect((await browser.authorize({ ...request, prompt: 'none' })).sent.error).toBe('login_required');
    const renewal = {
      grant_type: 'refresh_token',
      client_id: COMMAND_LINE,
      refresh_token: tokens.body.refresh_token ?? '',
    };
    expect((await askToken(jar, renewal)).body.error).toBe('invalid_grant');
  });
});

test('a jar that others can reach does not take the password of the documentation', async () => {
  const config = loadConfig({ flags: { port: 0, httpsPort: 0, memory: true, host: '0.0.0.0' }, cwd: '/' });
  const running = await openJar({ config, inProcess: true });
  try {
    const origin = `http://127.0.0.1:${new URL(running.url).port}`;
    const form = {
      grant_type: 'password',
      client_id: COMMAND_LINE,
      username: 'admin',
      scope: `${MANAGEMENT}/.default`,
    };
    expect((await askToken({ url: origin }, { ...form, password: PASSWORD })).status).toBe(400);
    expect((await askToken({ url: origin }, { ...form, password: running.adminKey })).status).toBe(200);
    const credentials = { grant_type: 'client_credentials', client_id: APP, scope: `${MANAGEMENT}/.default` };
    expect((await askToken({ url: origin }, { ...credentials, client_secret: APP_SECRET })).status).toBe(401);
    expect((await askToken({ url: origin }, { ...credentials, client_secret: running.adminKey })).status).toBe(200);
    const page = await new Visitor(origin).authorize(request);
    expect(page.text).toContain('type="password"');
    expect(page.text).not.toContain('Seeded users');
    expect(page.text).not.toContain(running.adminKey);
  } finally {
    await running.close();
  }
});

test('nothing that the store holds lets its reader sign in or renew', async () => {
  const config = loadConfig({ flags: { port: 0, httpsPort: 0, memory: true, clock: 'virtual' }, cwd: '/' });
  const running = await openJar({ config, inProcess: true });
  try {
    const browser = new Visitor(running.url);
    await control(running, 'PUT', 'users/30000000-0000-4000-8000-000000000005', {
      username: 'u@vendor.example',
      password: 'correct horse',
    });
    const landed = await browser.signIn(
      { ...request, redirect_uri: PAGE_URI, response_type: 'code' },
      'u@vendor.example',
      'correct horse',
    );
    const dump = JSON.stringify([
      await running.jar.store.query(grants, { limit: 10 }),
      await running.jar.store.query(sessions, { limit: 10 }),
      await running.jar.store.query(users, { limit: 10 }),
    ]);
    const secrets = ['correct horse', ...(landed.sent.code ?? '').split('.'), ...browser.cookies.values()];
    expect(secrets.length).toBeGreaterThanOrEqual(5);
    for (const secret of secrets) expect(dump).not.toContain(secret);
  } finally {
    await running.close();
  }
});
