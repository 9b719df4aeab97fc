import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import {
  APP,
  claimsOf,
  control,
  MANAGEMENT,
  OTHER_TENANT,
  PAGE,
  PAGE_URI,
  PASSWORD,
  subscriptions,
  TENANT,
  Visitor,
} from './support.ts';

let jar: TestJar;
const V2 = '/common/oauth2/v2.0/authorize';
const implicit = { client_id: PAGE, redirect_uri: PAGE_URI, response_type: 'token', state: 'a b&c=d' };

beforeAll(async () => {
  jar = await startJar();
});
afterAll(() => jar.close());

const visitor = (): Visitor => new Visitor(jar.url);

describe('the implicit flow', () => {
  test('signs in on the page and sends a token in the fragment, with the state unchanged', async () => {
    const landed = await visitor().signIn({ ...implicit, resource: jar.url });
    expect(landed.status).toBe(302);
    expect(landed.location?.href.split('#')[0]).toBe(PAGE_URI);
    expect(landed.sent).toMatchObject({ token_type: 'Bearer', expires_in: '3599', state: 'a b&c=d' });
    expect(landed.sent.session_state).toMatch(/^[0-9a-f-]{36}$/);
    expect(landed.sent).not.toHaveProperty('refresh_token');
    expect(claimsOf(landed.sent.access_token ?? '')).toMatchObject({
      aud: jar.url,
      iss: `${jar.url}/${TENANT}/`,
      appid: PAGE,
      tid: TENANT,
      upn: 'admin@vendor.example',
      scp: 'user_impersonation',
      ver: '1.0',
    });
    expect(await subscriptions(jar, landed.sent.access_token ?? '')).toMatchObject({
      status: 200,
      names: ['Cloudjar'],
    });
  });

  test('takes the management API for the resource when none is named, and ignores a bare scope', async () => {
    const landed = await visitor().signIn({ ...implicit, scope: 'user_impersonation' });
    expect(claimsOf(landed.sent.access_token ?? '')).toMatchObject({ aud: MANAGEMENT, scp: 'user_impersonation' });
  });

  test('gives an id token with the nonce, bound to the access token beside it', async () => {
    const landed = await visitor().signIn({ ...implicit, response_type: 'id_token token', nonce: 'n-1' });
    const claims = claimsOf(landed.sent.id_token ?? '');
    expect(claims).toMatchObject({
      aud: PAGE,
      nonce: 'n-1',
      name: 'Ada Admin',
      upn: 'admin@vendor.example',
      tid: TENANT,
    });
    expect(claims.at_hash).toMatch(/^[\w-]{22}$/);
  });

  test('posts to the application when asked to, by a page that submits itself', async () => {
    const landed = await visitor().signIn({ ...implicit, response_mode: 'form_post' });
    expect(landed.status).toBe(200);
    expect(landed.text).toContain(`<form method="post" action="${PAGE_URI}">`);
    expect(landed.text).toContain('name="access_token"');
    expect(landed.text).toContain('name="state" value="a b&amp;c=d"');
    expect(landed.headers.get('content-security-policy')).toMatch(/script-src 'sha256-/);
  });

  test('renews silently for a signed-in user, for one day', async () => {
    await using own = await startJar({ strictTokenExpiry: true });
    const browser = new Visitor(own.url);
    const silent = { ...implicit, prompt: 'none' };
    expect((await browser.authorize(silent)).sent).toMatchObject({ error: 'login_required' });
    const first = await browser.signIn(implicit);
    const renewed = await browser.authorize(silent);
    expect(renewed.sent.access_token).toBeTruthy();
    expect(renewed.sent.session_state).toBe(first.sent.session_state);
    expect((await browser.authorize({ ...silent, login_hint: 'admin@vendor.example' })).sent.access_token).toBeTruthy();
    expect((await browser.authorize({ ...silent, login_hint: 'licensed@vendor.example' })).sent.error).toBe(
      'interaction_required',
    );
    await own.clock.advance('25h');
    expect((await browser.authorize(silent)).sent.error).toBe('login_required');
  });
});

describe('the newer endpoint', () => {
  const request = { ...implicit, response_type: 'id_token token', nonce: 'n', scope: 'openid profile' };

  test('issues the requested scopes for the resource that they name', async () => {
    const scope = `openid ${jar.url}/user_impersonation ${jar.url}/read`;
    const landed = await visitor().signIn({ ...request, scope }, 'admin', PASSWORD, V2);
    const claims = claimsOf(landed.sent.access_token ?? '');
    expect(claims).toMatchObject({
      aud: jar.url,
      scp: 'user_impersonation read',
      ver: '2.0',
      iss: `${jar.url}/${TENANT}/v2.0`,
    });
    expect(landed.sent.scope).toBe(scope);
    expect(claimsOf(landed.sent.id_token ?? '')).toMatchObject({
      preferred_username: 'admin@vendor.example',
      ver: '2.0',
    });
  });

  test('with nothing but openid gives a token that management operations refuse with 403', async () => {
    const landed = await visitor().signIn(request, 'admin', PASSWORD, V2);
    expect(claimsOf(landed.sent.access_token ?? '').scp).toBe('openid profile');
    expect((await subscriptions(jar, landed.sent.access_token ?? '')).status).toBe(403);
  });
});

describe('mistakes that go back to the application', () => {
  const cases: [string, Record<string, string>, string, number][] = [
    ['no response_type', { response_type: '' }, 'invalid_request', 900144],
    ['an unknown response_type', { response_type: 'device' }, 'unsupported_response_type', 700054],
    ['tokens in the query', { response_mode: 'query' }, 'invalid_request', 70007],
    ['an unknown response_mode', { response_mode: 'web_message' }, 'invalid_request', 70007],
    ['an id token without a nonce', { response_type: 'id_token' }, 'invalid_request', 900144],
    ['an unknown resource', { resource: 'https://elsewhere.example' }, 'invalid_resource', 500011],
    ['an unknown prompt', { prompt: 'sometimes' }, 'invalid_request', 90023],
    ['prompt none with another', { prompt: 'none login' }, 'invalid_request', 90023],
    ['nobody signed in and nobody to be asked', { prompt: 'none' }, 'login_required', 50058],
    [
      'an unknown challenge method',
      { code_challenge: 'x'.repeat(43), code_challenge_method: 'S1' },
      'invalid_request',
      9002313,
    ],
    ['a challenge that is too short', { code_challenge: 'x' }, 'invalid_request', 9002313],
  ];
  test.each(cases)('%s', async (_, change, error, number) => {
    const { status, sent, location } = await visitor().authorize({ ...implicit, ...change });
    expect(status).toBe(302);
    expect(location?.href.startsWith(`${PAGE_URI}${change.response_type === '' ? '?' : '#'}`)).toBe(true);
    expect(sent).toMatchObject({ error, state: 'a b&c=d' });
    expect(sent.error_description).toMatch(
      new RegExp(`^AADSTS${number}: .+ Trace ID: .+ Correlation ID: .+ Timestamp: `),
    );
  });

  const scopes: [string, string, string, number][] = [
    ['no scope', '', 'invalid_request', 900144],
    ['two resources', `https://management.azure.com/.default ${MANAGEMENT}/.default`, 'invalid_scope', 28000],
    ['a resource without a permission', `${MANAGEMENT}/`, 'invalid_scope', 70011],
    ['an unknown resource', 'https://elsewhere.example/.default', 'invalid_resource', 500011],
  ];
  test.each(scopes)('on the newer endpoint: %s', async (_, scope, error, number) => {
    const { sent } = await visitor().authorize({ ...implicit, scope }, V2);
    expect(sent.error).toBe(error);
    expect(sent.error_description).toContain(`AADSTS${number}:`);
  });

  test('an application that is not enabled for the implicit flow', async () => {
    const { sent } = await visitor().authorize({ ...implicit, client_id: APP });
    expect(sent.error).toBe('unsupported_response_type');
  });

  test('a user who cancels', async () => {
    const browser = visitor();
    const { sent } = await browser.submit(await browser.authorize(implicit), { cancel: '1' });
    expect(sent).toMatchObject({ error: 'access_denied', state: 'a b&c=d' });
  });
});

describe('mistakes that the user sees on a page, and the application never hears of', () => {
  const cases: [string, Record<string, string>, string?][] = [
    ['an unknown application', { client_id: '00000000-0000-4000-8000-000000000000' }],
    ['an alias in place of the client id', { client_id: 'page' }],
    ['no application', { client_id: '' }],
    ['an unregistered redirect_uri', { redirect_uri: 'http://localhost:3001/' }],
    ['a redirect_uri that only begins like a registered one', { redirect_uri: `${PAGE_URI}more` }],
    ['a redirect_uri with another case', { redirect_uri: 'http://LOCALHOST:3000/' }],
    ['no redirect_uri where several are registered', { redirect_uri: '' }],
    ['an unknown tenant', {}, '/nowhere.example/oauth2/authorize'],
  ];
  test.each(cases)('%s', async (_, change, path) => {
    const seen = await visitor().authorize({ ...implicit, ...change }, path);
    expect(seen.status).toBe(400);
    expect(seen.location).toBeUndefined();
    expect(seen.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(seen.text).toContain('AADSTS');
  });

  test('a parameter that is given twice', async () => {
    const seen = await visitor().visit(`/common/oauth2/authorize?${new URLSearchParams(implicit)}&client_id=${APP}`);
    expect(seen.status).toBe(400);
    expect(seen.text).toContain('given more than once');
  });
});

describe('redirect addresses', () => {
  const ask = (client_id: string, redirect_uri: string) =>
    visitor().authorize({ client_id, redirect_uri, response_type: 'code', resource: jar.url });

  test('a command line that registered http://localhost may use any port of it', async () => {
    const commandLine = '04b07795-8ddb-461a-bbee-02f9e1bf7b46';
    expect((await ask(commandLine, 'http://localhost:53211')).status).toBe(200);
    expect((await ask(commandLine, 'http://localhost:53211/')).status).toBe(200);
    for (const foreign of [
      'https://localhost:53211',
      'http://localhost:1/path',
      'http://localhost.evil.example:1',
      'http://localhost@evil.example',
      'http://127.0.0.1:5',
    ]) {
      expect((await ask(commandLine, foreign)).status, foreign).toBe(400);
    }
  });

  test('an application with one address may leave it out', async () => {
    const id = '30000000-0000-4000-8000-000000000001';
    const made = await control(jar, 'PUT', `applications/${id}`, {
      public: true,
      implicit: true,
      redirectUris: ['https://one.example/?a=1'],
    });
    expect(made.status).toBe(201);
    const landed = await visitor().authorize({
      client_id: id,
      response_type: 'code',
      prompt: 'none',
      resource: jar.url,
    });
    expect(landed.location?.href).toMatch(/^https:\/\/one\.example\/\?a=1&error=login_required&/);
  });
});

describe('people', () => {
  test('a wrong password is told on the page, with the user name kept', async () => {
    const page = await visitor().signIn(implicit, 'admin@vendor.example', 'wrong');
    expect(page.status).toBe(400);
    expect(page.text).toContain('invalid username or password');
    expect(page.text).toContain('value="admin@vendor.example"');
  });

  test("a tenant's own page takes its own users only", async () => {
    const page = await visitor().signIn(implicit, 'other', PASSWORD, `/${TENANT}/oauth2/authorize`);
    expect(page.text).toContain('does not exist in the tenant');
    const own = await visitor().signIn(implicit, 'other', PASSWORD, '/other.example/oauth2/authorize');
    expect(claimsOf(own.sent.access_token ?? '').tid).toBe(OTHER_TENANT);
  });

  test('a token of the second tenant sees nothing of the first', async () => {
    const landed = await visitor().signIn(implicit, 'other');
    expect(await subscriptions(jar, landed.sent.access_token ?? '')).toMatchObject({ status: 200, names: ['Other'] });
  });

  test('with two accounts signed in the user picks one, and prompt=none wants a hint', async () => {
    const browser = visitor();
    const admin = await browser.signIn({ ...implicit, response_type: 'id_token', nonce: 'n' });
    const again = await browser.submit(await browser.authorize({ ...implicit, prompt: 'login' }), {
      username: 'licensed',
      password: PASSWORD,
    });
    expect(again.status).toBe(302);
    const chooser = await browser.authorize(implicit);
    expect(chooser.text).toContain('Ada Admin');
    expect(chooser.text).toContain('Lin Licensed');
    const picked = await browser.submit(chooser, { account: '10000000-0000-4000-8000-000000000012' });
    expect(claimsOf(picked.sent.access_token ?? '').upn).toBe('licensed@vendor.example');
    expect((await browser.authorize({ ...implicit, prompt: 'none' })).sent.error).toBe('interaction_required');
    const hinted = await browser.authorize({ ...implicit, prompt: 'none', login_hint: 'admin@vendor.example' });
    expect(claimsOf(hinted.sent.access_token ?? '').upn).toBe('admin@vendor.example');
    const sid = String(claimsOf(admin.sent.id_token ?? '').sid);
    const known = await browser.authorize({ ...implicit, prompt: 'none', sid });
    expect(claimsOf(known.sent.access_token ?? '').upn).toBe('admin@vendor.example');
    expect(
      (await browser.submit(await browser.authorize({ ...implicit, prompt: 'select_account' }), { other: '1' })).text,
    ).toContain('type="password"');
  });

  test('signing out ends the session and redirects only to registered addresses', async () => {
    const browser = visitor();
    await browser.signIn(implicit);
    const away = await browser.visit(
      `/common/oauth2/logout?${new URLSearchParams({ post_logout_redirect_uri: PAGE_URI, state: 's' })}`,
    );
    expect(away.location?.href).toBe(`${PAGE_URI}?state=s`);
    expect((await browser.authorize({ ...implicit, prompt: 'none' })).sent.error).toBe('login_required');
    const astray = await browser.visit('/common/oauth2/v2.0/logout?post_logout_redirect_uri=https://evil.example/');
    expect(astray.status).toBe(200);
    expect(astray.location).toBeUndefined();
  });
});
