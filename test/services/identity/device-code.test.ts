import { describe, expect, test } from 'vitest';
import { startJar } from '../../../src/testing/index.ts';
import { type Bench, onBothStores } from '../../support/jars.ts';
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
  subscriptions,
  TENANT,
  Visitor,
} from './support.ts';

const V1 = `/${TENANT}/oauth2`;
const V2 = `/${TENANT}/oauth2/v2.0`;
const LONG_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const SCOPE = `${MANAGEMENT}/.default openid profile offline_access`;

type Reached = Parameters<typeof askToken>[0];
interface Started {
  readonly device_code: string;
  readonly user_code: string;
}

async function begin(jar: Reached, form: Record<string, string> = {}, path = `${V2}/devicecode`): Promise<Started> {
  const asked = await askToken(jar, { client_id: COMMAND_LINE, scope: SCOPE, ...form }, path);
  expect(asked.status).toBe(200);
  return { device_code: asked.body.device_code ?? '', user_code: asked.body.user_code ?? '' };
}

const poll = (jar: Reached, { device_code }: Started, more: Record<string, string> = {}, path = `${V2}/token`) =>
  askToken(jar, { grant_type: LONG_GRANT, client_id: COMMAND_LINE, device_code, ...more }, path);

async function enter(jar: Reached, fields: Record<string, string>) {
  const response = await fetch(`${jar.url}/devicelogin`, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, text: await response.text() };
}

const approve = (jar: Reached, { user_code }: Started, username = 'admin', password = PASSWORD) =>
  enter(jar, { user_code, username, password });

onBothStores('device codes', (bench: Bench) => {
  test('a program waits for its user, gets tokens once, and they are renewed like others', async () => {
    const { jar } = bench;
    const started = await begin(jar);
    expect((await poll(jar, started)).body).toMatchObject({ error: 'authorization_pending', error_codes: [70016] });
    await jar.clock.advance('5s');
    expect((await poll(jar, started)).body.error).toBe('authorization_pending');

    const approved = await approve(jar, started);
    expect(approved.status).toBe(200);
    expect(approved.text).toContain('You have signed in to Command line');
    const { status, body } = await poll(jar, started);
    expect(status).toBe(200);
    expect(claimsOf(body.access_token ?? '')).toMatchObject({ oid: ADMIN, tid: TENANT, azp: COMMAND_LINE });
    expect(claimsOf(body.id_token ?? '')).toMatchObject({
      aud: COMMAND_LINE,
      preferred_username: 'admin@vendor.example',
    });
    expect((await subscriptions(jar, body.access_token ?? '')).names).toEqual(['Cloudjar']);
    expect((await poll(jar, started)).body).toMatchObject({ error: 'invalid_grant', error_codes: [54005] });

    const form = { grant_type: 'refresh_token', client_id: COMMAND_LINE, refresh_token: body.refresh_token ?? '' };
    expect((await askToken(jar, { ...form, scope: `${jar.url}/.default` })).status).toBe(200);
  });

  test('polling too often is answered with slow_down, and adds five seconds each time', async () => {
    const { jar } = bench;
    const started = await begin(jar);
    const errors: (string | undefined)[] = [];
    for (const wait of ['0s', '1s', '5s', '14s', '15s'] as const) {
      if (wait !== '0s') await jar.clock.advance(wait);
      errors.push((await poll(jar, started)).body.error);
    }
    // The first poll; then after 1 of 5 seconds; after 5 of 10; after 14 of 15, which is tolerated; after 15.
    expect(errors).toEqual([
      'authorization_pending',
      'slow_down',
      'slow_down',
      'authorization_pending',
      'authorization_pending',
    ]);
  });

  test('a code ends after a quarter of an hour by the clock of the jar, says so for an hour, and is removed then', async () => {
    const { jar } = bench;
    const [late, approvedLate] = [await begin(jar), await begin(jar)];
    await approve(jar, approvedLate);
    const older = await begin(jar, { resource: MANAGEMENT, scope: '' }, `${V1}/devicecode`);
    await jar.clock.advance('15m');
    for (const each of [late, approvedLate]) {
      expect((await poll(jar, each)).body).toMatchObject({ error: 'expired_token', error_codes: [70020] });
    }
    const form = { grant_type: 'device_code', client_id: COMMAND_LINE, code: older.device_code };
    expect((await askToken(jar, form, `${V1}/token`)).body).toMatchObject({
      error: 'code_expired',
      error_codes: [70019],
    });
    expect((await approve(jar, late)).status).toBe(400);
    await jar.clock.advance('1h');
    expect((await poll(jar, late)).body).toMatchObject({ error: 'bad_verification_code', error_codes: [70018] });
  });

  test('a user can decline, and the code cannot be approved afterwards', async () => {
    const { jar } = bench;
    const started = await begin(jar);
    expect((await enter(jar, { user_code: started.user_code, cancel: '1' })).text).toContain('You did not sign in');
    expect((await poll(jar, started)).body.error).toBe('authorization_declined');
    expect((await approve(jar, started)).status).toBe(400);
    expect((await poll(jar, started)).body.error).toBe('authorization_declined');
  });

  test('of several who redeem one code at the same moment, one succeeds', async () => {
    const { jar } = bench;
    const started = await begin(jar);
    await approve(jar, started);
    const answers = await Promise.all([1, 2, 3, 4].map(() => poll(jar, started)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });
});

describe('the start of a device code', () => {
  test('has numbers and verification_uri in the newer form, texts and verification_url in the older one', async () => {
    await using jar = await startJar();
    const newer = await askToken(
      jar,
      { client_id: COMMAND_LINE, scope: SCOPE },
      '/organizations/oauth2/v2.0/devicecode',
    );
    const page = `${jar.url}/devicelogin`;
    expect(newer.body).toEqual({
      user_code: expect.stringMatching(/^[A-HJ-NP-Z2-9]{9}$/),
      device_code: expect.any(String),
      verification_uri: page,
      expires_in: 900,
      interval: 5,
      message: `To sign in, use a web browser to open the page ${page} and enter the code ${newer.body.user_code} to authenticate.`,
    });
    const older = await askToken(jar, { client_id: COMMAND_LINE, resource: MANAGEMENT }, '/common/oauth2/devicecode');
    expect(older.body).toEqual({
      user_code: expect.any(String),
      device_code: expect.any(String),
      verification_url: page,
      expires_in: '900',
      interval: '5',
      message: expect.stringContaining(page),
    });
    const discovered = await fetch(`${jar.url}/organizations/v2.0/.well-known/openid-configuration`);
    expect(((await discovered.json()) as Record<string, string>).device_authorization_endpoint).toBe(
      `${jar.url}/organizations/oauth2/v2.0/devicecode`,
    );
  });

  test.for([
    ['no application', { scope: SCOPE }, 900144],
    ['an unknown application', { client_id: ADMIN, scope: SCOPE }, 700016],
    ['no scope', { client_id: COMMAND_LINE }, 900144],
    ['a scope of nothing here', { client_id: COMMAND_LINE, scope: 'https://nothing.example/.default' }, 500011],
  ] as const)('refuses %s', async ([, form, number]) => {
    await using jar = await startJar();
    const refused = await askToken(jar, form, `${V2}/devicecode`);
    expect(refused.status).toBe(400);
    expect(refused.body.error_codes).toEqual([number]);
  });

  test('is limited by the address that asks', async () => {
    await using jar = await startJar();
    await control(jar, 'PATCH', 'limits', { name: 'identity.device-codes', limit: 1 });
    await begin(jar);
    const refused = await askToken(jar, { client_id: COMMAND_LINE, scope: SCOPE }, `${V2}/devicecode`);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('a poll', () => {
  test('of another application, or with another secret, learns nothing', async () => {
    await using jar = await startJar();
    const started = await begin(jar);
    await approve(jar, started);
    const unknown = { error: 'bad_verification_code', error_codes: [70018] };
    const altered = { ...started, device_code: `${started.device_code.slice(0, -2)}xx` };
    expect((await poll(jar, started, { client_id: PAGE })).body).toMatchObject(unknown);
    for (const each of [altered, { ...started, device_code: '.' }, { ...started, device_code: 'x'.repeat(5000) }]) {
      expect((await poll(jar, each)).body).toMatchObject(unknown);
    }
    expect((await poll(jar, { ...started, device_code: '' })).body.error_codes).toEqual([900144]);
    expect((await poll(jar, started)).status).toBe(200);
  });

  test('of a confidential application takes its secret', async () => {
    await using jar = await startJar();
    const started = await begin(jar, { client_id: APP });
    await approve(jar, started);
    expect((await poll(jar, started, { client_id: APP })).body.error).toBe('invalid_client');
    expect((await poll(jar, started, { client_id: APP, client_secret: APP_SECRET })).status).toBe(200);
  });

  test('by the short name of the grant, with the code alone, is answered in the older form', async () => {
    await using jar = await startJar();
    const older = await begin(jar, { resource: MANAGEMENT }, `${V1}/devicecode`);
    await approve(jar, older);
    const form = { grant_type: 'device_code', client_id: COMMAND_LINE, code: older.device_code, resource: MANAGEMENT };
    const { status, body } = await askToken(jar, form, `${V1}/token`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ expires_in: '3599', resource: MANAGEMENT, foci: '1' });
  });
});

describe('the page of device codes', () => {
  test('asks for the code, then for the user; a wrong password changes nothing', async () => {
    await using jar = await startJar();
    const started = await begin(jar);
    const spelled = started.user_code.toLowerCase().replace(/^(...)/, '$1-');
    const empty = await fetch(`${jar.url}/devicelogin?user_code=${started.user_code}`);
    expect(await empty.text()).toContain(`value="${started.user_code}"`);
    expect((await enter(jar, { user_code: '<b>NOPE' })).text).toContain('&lt;b&gt;NOPE');
    const asked = await enter(jar, { user_code: spelled });
    expect(asked).toMatchObject({ status: 200, text: expect.stringContaining('Sign in to Command line') });
    expect(await approve(jar, started, 'admin', 'wrong')).toMatchObject({ status: 400 });
    expect((await poll(jar, started)).body.error).toBe('authorization_pending');
    expect((await approve(jar, { ...started, user_code: spelled })).status).toBe(200);
    expect((await poll(jar, started)).status).toBe(200);
  });

  test('takes the session of its own browser, and that of no other', async () => {
    await using jar = await startJar();
    const started = await begin(jar);
    const visitor = new Visitor(jar.url);
    await visitor.signIn({ client_id: PAGE, redirect_uri: PAGE_URI, response_type: 'code', scope: SCOPE, nonce: 'n' });
    const fields = { user_code: started.user_code };
    const shown = await visitor.visit('/devicelogin', { method: 'POST', body: new URLSearchParams(fields) });
    expect(shown.text).toContain(`name="account" value="${ADMIN}"`);
    const browser = /name="browser" value="([^"]*)"/.exec(shown.text)?.[1] ?? '';
    const forged = { ...fields, account: ADMIN };
    await enter(jar, { ...forged, browser });
    await visitor.visit('/devicelogin', { method: 'POST', body: new URLSearchParams(forged) });
    expect((await poll(jar, started)).body.error).toBe('authorization_pending');
    const own = new URLSearchParams({ ...forged, browser });
    expect((await visitor.visit('/devicelogin', { method: 'POST', body: own })).status).toBe(200);
    expect((await poll(jar, started)).status).toBe(200);
  });

  test("refuses users of other tenants than the program's, except guests", async () => {
    await using jar = await startJar();
    const started = await begin(jar);
    const refused = await approve(jar, started, 'other');
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('does not exist in the tenant') });
    const guest = { username: 'gus@other.example', alias: 'gus', password: 'open sesame', tenantId: OTHER_TENANT };
    await control(jar, 'PUT', `users/${GUEST}`, { ...guest, guestOf: [TENANT] });
    expect((await approve(jar, started, 'gus', 'open sesame')).status).toBe(200);
    const { body } = await poll(jar, started, { client_info: '1' });
    expect(claimsOf(body.access_token ?? '')).toMatchObject({ oid: GUEST, tid: TENANT });
    const info = JSON.parse(Buffer.from(body.client_info ?? '', 'base64url').toString());
    expect(info).toEqual({ uid: GUEST, utid: OTHER_TENANT });
  });
});

const GUEST = '10000000-0000-4000-8000-000000000099';
