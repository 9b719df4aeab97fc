import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { STORES } from './stores.ts';
import {
  ADMIN,
  APP,
  APP_SECRET,
  askToken,
  COMMAND_LINE,
  claimsOf,
  control,
  MANAGEMENT,
  OTHER_TENANT,
  PAGE,
  PAGE_URI,
  PASSWORD,
  proofKey,
  subscriptions,
  TENANT,
  Visitor,
} from './support.ts';

const V1 = `/${TENANT}/oauth2/token`;
const V2 = `/${TENANT}/oauth2/v2.0/token`;

/** Signs in on the page and returns the code. */
async function getCode(jar: TestJar, more: Record<string, string> = {}, user = 'admin'): Promise<string> {
  const request = {
    client_id: PAGE,
    redirect_uri: PAGE_URI,
    response_type: 'code',
    scope: `${MANAGEMENT}/.default openid offline_access`,
    ...more,
  };
  const landed = await new Visitor(jar.url).signIn(request, user, PASSWORD, `/${TENANT}/oauth2/v2.0/authorize`);
  expect(landed.location?.href.startsWith(`${PAGE_URI}?code=`)).toBe(true);
  return landed.sent.code ?? '';
}

const redeem = (code: string, more: Record<string, string> = {}): Record<string, string> => ({
  grant_type: 'authorization_code',
  client_id: PAGE,
  redirect_uri: PAGE_URI,
  code,
  ...more,
});
const refresh = (token: string | undefined, more: Record<string, string> = {}): Record<string, string> => ({
  grant_type: 'refresh_token',
  client_id: PAGE,
  refresh_token: token ?? '',
  ...more,
});

describe.each(STORES)('%s: codes and refresh tokens', (_, start) => {
  test('a code is good once, its refresh token turns into a new one each time, and a replay ends it all', async (context) => {
    await using jar = await start(context);
    const { verifier, challenge } = proofKey();
    const code = await getCode(jar, { code_challenge: challenge, code_challenge_method: 'S256', nonce: 'n-7' });
    const wrong = await askToken(jar, redeem(code, { code_verifier: 'x'.repeat(43) }));
    expect(wrong.body).toMatchObject({ error: 'invalid_grant', error_codes: [501481] });
    expect((await askToken(jar, redeem(code))).body.error_codes).toEqual([900144]);
    expect((await askToken(jar, redeem(code, { code_verifier: verifier, client_id: COMMAND_LINE }))).body.error).toBe(
      'invalid_grant',
    );

    const first = await askToken(jar, redeem(code, { code_verifier: verifier }));
    expect(first.status).toBe(200);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(claimsOf(first.body.access_token ?? '')).toMatchObject({
      aud: MANAGEMENT,
      scp: 'user_impersonation',
      azp: PAGE,
    });
    expect(claimsOf(first.body.id_token ?? '')).toMatchObject({ nonce: 'n-7', aud: PAGE, oid: ADMIN });

    const second = await askToken(jar, refresh(first.body.refresh_token));
    expect(second.body.refresh_token).not.toBe(first.body.refresh_token);
    expect((await subscriptions(jar, second.body.access_token ?? '')).names).toEqual(['Cloudjar']);

    expect((await askToken(jar, redeem(code, { code_verifier: verifier }))).body.error_codes).toEqual([54005]);
    expect((await askToken(jar, refresh(second.body.refresh_token))).body.error).toBe('invalid_grant');
  });

  test('a refresh token that comes back after it was replaced revokes its successors', async (context) => {
    await using jar = await start(context);
    const first = await askToken(jar, redeem(await getCode(jar)));
    const second = await askToken(jar, refresh(first.body.refresh_token));
    expect(second.status).toBe(200);
    expect((await askToken(jar, refresh(first.body.refresh_token))).body.error_codes).toEqual([700084]);
    expect((await askToken(jar, refresh(second.body.refresh_token))).body).toMatchObject({
      error: 'invalid_grant',
      error_codes: [70000],
    });
  });

  test('of two who redeem one code at the same moment, one succeeds', async (context) => {
    await using jar = await start(context);
    const code = await getCode(jar);
    const answers = await Promise.all([1, 2, 3, 4].map(() => askToken(jar, redeem(code))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('with strict expiry the clock of the jar ends a code after ten minutes and a refresh token after ninety days, and what ended is removed', async (context) => {
    await using jar = await start(context, { strictTokenExpiry: true });
    const late = await getCode(jar);
    const inTime = await askToken(jar, redeem(await getCode(jar)));
    await jar.clock.advance('10m');
    expect((await askToken(jar, redeem(late))).body).toMatchObject({ error: 'invalid_grant', error_codes: [70008] });
    await jar.clock.advance('89d');
    const next = await askToken(jar, refresh(inTime.body.refresh_token));
    expect(next.status).toBe(200);
    await jar.clock.advance('90d');
    expect((await askToken(jar, refresh(next.body.refresh_token))).body.error).toBe('invalid_grant');
    const clock = await control(jar, 'GET', 'clock');
    expect(clock.body.nextDue).toBeNull();
  });
});

describe('the token endpoint', () => {
  let jar: TestJar;
  beforeAll(async () => {
    jar = await startJar();
  });
  afterAll(() => jar.close());

  const secretApp = { client_id: APP, client_secret: APP_SECRET };
  const credentials = { grant_type: 'client_credentials', ...secretApp };
  const password = {
    grant_type: 'password',
    client_id: COMMAND_LINE,
    username: 'admin',
    password: PASSWORD,
    scope: `${MANAGEMENT}/.default`,
  };

  test('gives an application a token of its own, on both endpoints', async () => {
    const older = await askToken(jar, { ...credentials, resource: `${MANAGEMENT}/` }, V1);
    expect(older.body).toMatchObject({ token_type: 'Bearer', expires_in: '3599', resource: `${MANAGEMENT}/` });
    expect(claimsOf(older.body.access_token ?? '')).toMatchObject({
      idtyp: 'app',
      appid: APP,
      appidacr: '1',
      aud: `${MANAGEMENT}/`,
    });
    const newer = await askToken(jar, { ...credentials, scope: `${MANAGEMENT}//.default` });
    expect(newer.body.expires_in).toBe(3599);
    expect(newer.body).not.toHaveProperty('refresh_token');
    expect((await subscriptions(jar, newer.body.access_token ?? '')).names).toEqual(['Cloudjar']);
  });

  test('takes the secret by HTTP Basic too', async () => {
    const authorization = `Basic ${Buffer.from(`${APP}:${APP_SECRET}`).toString('base64')}`;
    const form = { grant_type: 'client_credentials', scope: `${MANAGEMENT}/.default` };
    expect((await askToken(jar, form, V2, { authorization })).status).toBe(200);
    const wrong = `Basic ${Buffer.from(`${APP}:nope`).toString('base64')}`;
    expect((await askToken(jar, form, V2, { authorization: wrong })).status).toBe(401);
    expect((await askToken(jar, { ...form, client_id: PAGE }, V2, { authorization })).body.error).toBe(
      'invalid_request',
    );
    expect((await askToken(jar, form, V2, { authorization: 'Basic %%%' })).body.error).toBe('invalid_request');
  });

  test('gives a user a token for name and password, for tests', async () => {
    const answer = await askToken(jar, {
      ...password,
      client_info: '1',
      scope: `${jar.url}/.default openid offline_access`,
    });
    expect(claimsOf(answer.body.access_token ?? '')).toMatchObject({ aud: jar.url, scp: 'user_impersonation' });
    expect(answer.body.scope).toBe(`openid ${jar.url}/user_impersonation ${jar.url}/.default`);
    expect(JSON.parse(Buffer.from(answer.body.client_info ?? '', 'base64url').toString())).toEqual({
      uid: ADMIN,
      utid: TENANT,
    });
    const other = await askToken(
      jar,
      refresh(answer.body.refresh_token, { client_id: COMMAND_LINE, scope: `${MANAGEMENT}/.default` }),
    );
    expect(claimsOf(other.body.access_token ?? '').aud).toBe(MANAGEMENT);
  });

  test('allows pages of other origins by CORS, and requires a proof key from them', async () => {
    const origin = 'http://localhost:3000';
    const preflight = await fetch(jar.url + V2, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-client-sku' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('x-client-sku');
    const refused = await askToken(jar, redeem(await getCode(jar)), V2, { origin });
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect(refused.body.error_codes).toEqual([9002325]);
    const page = await fetch(`${jar.url}/common/oauth2/authorize?client_id=${PAGE}`, { headers: { origin } });
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
  });

  const cases: [string, Record<string, string>, string, number, number, string?][] = [
    ['no grant_type', { client_id: APP }, 'invalid_request', 400, 900144],
    ['an unknown grant_type', { grant_type: 'saml', ...secretApp }, 'unsupported_grant_type', 400, 70003],
    [
      'a grant_type that every object has',
      { grant_type: 'constructor', ...secretApp },
      'unsupported_grant_type',
      400,
      70003,
    ],
    ['no application', { grant_type: 'client_credentials' }, 'invalid_request', 400, 900144],
    ['an unknown application', { ...credentials, client_id: ADMIN }, 'unauthorized_client', 400, 700016],
    ['no secret', { grant_type: 'client_credentials', client_id: APP }, 'invalid_client', 401, 7000218],
    ['a wrong secret', { ...credentials, client_secret: 'nope' }, 'invalid_client', 401, 7000215],
    ['a secret from a public application', { ...credentials, client_id: PAGE }, 'invalid_client', 401, 700025],
    [
      'a public application for itself',
      { grant_type: 'client_credentials', client_id: PAGE },
      'invalid_client',
      401,
      7000218,
    ],
    [
      'an application in a foreign tenant',
      { ...credentials, resource: MANAGEMENT },
      'unauthorized_client',
      400,
      700016,
      `/${OTHER_TENANT}/oauth2/token`,
    ],
    ['an unknown tenant', credentials, 'invalid_tenant', 400, 90002, '/nowhere.example/oauth2/token'],
    [
      'an unknown resource',
      { ...credentials, resource: 'https://elsewhere.example' },
      'invalid_resource',
      400,
      500011,
      V1,
    ],
    ['an application without a scope', credentials, 'invalid_request', 400, 900144],
    [
      'an application that wants less than all',
      { ...credentials, scope: `${MANAGEMENT}/read` },
      'invalid_scope',
      400,
      1002012,
    ],
    ['a wrong password', { ...password, password: 'nope' }, 'invalid_grant', 400, 50126],
    ['an unknown user', { ...password, username: 'nobody' }, 'invalid_grant', 400, 50126],
    ["another tenant's user", { ...password, username: 'other' }, 'invalid_grant', 400, 50020],
    ['no user', { ...password, username: '' }, 'invalid_request', 400, 900144],
    ['no code', { grant_type: 'authorization_code', client_id: PAGE }, 'invalid_request', 400, 900144],
    ['an invented code', redeem('a.b'), 'invalid_grant', 400, 70000],
    ['an invented refresh token', refresh('nonsense'), 'invalid_grant', 400, 70000],
  ];
  test.each(cases)('refuses %s', async (_, form, error, status, number, path) => {
    const answer = await askToken(jar, form, path);
    expect(answer.body).toMatchObject({ error, error_codes: [number] });
    expect(answer.status).toBe(status);
    expect(answer.body.error_description).toMatch(new RegExp(`^AADSTS${number}: `));
    expect(answer.body.timestamp).toBe(`${jar.clock.now().toISOString().slice(0, 19).replace('T', ' ')}Z`);
    expect(answer.body.trace_id).toBe(answer.headers.get('x-ms-request-id'));
    expect(answer.headers.get('www-authenticate') !== null).toBe(status === 401);
  });

  test('a code is bound to its redirect URI, and stays valid after a request with another one', async () => {
    const code = await getCode(jar);
    expect((await askToken(jar, redeem(code, { redirect_uri: 'http://localhost:5173/' }))).body.error_codes).toEqual([
      500112,
    ]);
    expect((await askToken(jar, redeem(code, { code_verifier: 'x'.repeat(43) }))).body.error_codes).toEqual([501481]);
    expect((await askToken(jar, redeem(code, { scope: 'https://elsewhere.example/x' }))).body.error).toBe(
      'invalid_resource',
    );
    expect((await askToken(jar, redeem(code))).status).toBe(200);
  });

  test('a body that is not a form gets the same shape of error', async () => {
    const response = await fetch(jar.url + V2, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ error: 'invalid_request', error_codes: [9002313] });
    const twice = await fetch(jar.url + V2, { method: 'POST', body: new URLSearchParams('grant_type=a&grant_type=b') });
    expect(await twice.json()).toMatchObject({ error: 'invalid_request' });
    expect((await fetch(jar.url + V2)).status).toBe(405);
  });

  test('guessing a password is slowed down after ten failures, for that user from that address, for five minutes, whatever the password is', async () => {
    await using own = await startJar();
    const guess = { ...password, username: 'licensed', password: 'guess' };
    const parallel = await Promise.all(Array.from({ length: 25 }, () => askToken(own, guess)));
    expect(parallel.filter(({ body }) => body.error_codes[0] === 50126)).toHaveLength(10);
    const slowed = await askToken(own, guess);
    expect(slowed.body.error_codes).toEqual([50053]);
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
    // Nothing is compared; otherwise an attacker could continue guessing until a password is accepted.
    expect((await askToken(own, { ...guess, password: PASSWORD })).body.error_codes).toEqual([50053]);
    expect((await askToken(own, password)).status).toBe(200);
    await own.clock.advance('5m');
    expect((await askToken(own, guess)).body.error_codes).toEqual([50126]);
    expect((await askToken(own, { ...guess, password: PASSWORD })).status).toBe(200);
  });

  test('guessing passwords of many users is slowed down after a hundred from an address', async () => {
    await using own = await startJar();
    await control(own, 'PATCH', 'limits', { name: 'identity.wrong-passwords-of-an-address', limit: 12 });
    const codes: (number | undefined)[] = [];
    for (let n = 0; n < 14; n++) {
      codes.push((await askToken(own, { ...password, username: `user-${n}` })).body.error_codes[0]);
    }
    expect(codes).toEqual([...Array.from({ length: 12 }, () => 50126), 50053, 50053]);
    expect((await askToken(own, password)).status).toBe(200);
  });

  test('guessing the secret of an application is slowed down after a hundred from an address, whatever the secret is', async () => {
    await using own = await startJar();
    const guess = (n: number) =>
      askToken(own, { ...credentials, client_secret: `guess ${n}`, scope: `${MANAGEMENT}/.default` });
    const answers = await Promise.all(Array.from({ length: 105 }, (_, n) => guess(n)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(100);
    const slowed = await guess(0);
    expect(slowed).toMatchObject({ status: 429, body: { error: 'invalid_client', error_codes: [7000215] } });
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await askToken(own, { ...credentials, scope: `${MANAGEMENT}/.default` })).status).toBe(429);
    await own.clock.advance('5m');
    expect((await askToken(own, { ...credentials, scope: `${MANAGEMENT}/.default` })).status).toBe(200);
    expect((await guess(0)).status).toBe(401);
  });

  test('other spellings of a user name are no further guesses', async () => {
    await using own = await startJar();
    const spellings = ['licensed', ' LICENSED ', 'licensed@vendor.example', '10000000-0000-4000-8000-000000000012'];
    for (let i = 0; i < 10; i++) {
      const username = spellings[i % spellings.length] ?? '';
      expect((await askToken(own, { ...password, username, password: 'guess' })).body.error_codes).toEqual([50126]);
    }
    for (const username of spellings) {
      expect((await askToken(own, { ...password, username, password: 'guess' })).body.error_codes).toEqual([50053]);
    }
    for (let i = 0; i < 10; i++) await askToken(own, { ...password, username: i % 2 ? 'Nobody' : 'nobody ' });
    expect((await askToken(own, { ...password, username: 'nobody' })).body.error_codes).toEqual([50053]);
  });
});
