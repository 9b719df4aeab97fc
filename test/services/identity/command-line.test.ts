import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { trust } from '../../support/trust.ts';
import {
  ADMIN,
  APP,
  APP_SECRET,
  COMMAND_LINE,
  claimsOf,
  control,
  OTHER_TENANT,
  PAGE,
  PASSWORD,
  TENANT,
} from './support.ts';

/**
 * The calls of the vendor's command line from the first one on: the same order, parameters, fields and headers. The members of answers that
 * it reads are asserted with their types, because its libraries are strict.
 */

const GUEST = '10000000-0000-4000-8000-000000000099';
/** Client id of the vendor's shell modules. */
const SHELL = '1950a258-227b-4e31-a9cf-717495945fc2';
const CLAIMS = '{"access_token": {"xms_cc": {"values": ["CP1"]}}}';
const HEADERS = {
  accept: 'application/json',
  'x-client-sku': 'MSAL.Python',
  'x-client-ver': '1.21.0',
  'x-client-os': 'linux',
  'x-client-cpu': 'x64',
  'client-request-id': '0f1e2d3c-4b5a-4968-8778-695a4b3c2d1e',
};

let jar: TestJar;
beforeAll(async () => {
  jar = await startJar();
  trust(jar);
  const guest = { username: 'gus@vendor.example', alias: 'gus', password: 'open sesame', guestOf: [OTHER_TENANT] };
  await control(jar, 'PUT', `users/${GUEST}`, guest);
});
afterAll(() => jar.close());

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

async function ask(url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, init);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  return { status: response.status, headers: response.headers, body: (await response.json()) as Reply['body'] };
}

const post = (url: string, fields: Record<string, string>): Promise<Reply> =>
  ask(url, { method: 'POST', headers: HEADERS, body: new URLSearchParams(fields) });

const read = (path: string, token: unknown): Promise<Reply> =>
  ask(jar.httpsUrl + path, { headers: { authorization: `Bearer ${token}`, 'user-agent': 'AZURECLI/2.45.0' } });

/** `cloud register`: the resource, the sign-in host and the base of later calls. */
async function register() {
  const { status, body } = await ask(`${jar.httpsUrl}/metadata/endpoints?api-version=2022-09-01`);
  expect(status).toBe(200);
  const { name, suffixes, authentication, resourceManager } = body as {
    name: string;
    suffixes: object;
    authentication: { loginEndpoint: string; audiences: string[] };
    resourceManager: string;
  };
  expect(name).toEqual(expect.any(String));
  expect(suffixes).toEqual(expect.any(Object));
  expect(resourceManager).toBe(`${jar.httpsUrl}/`);
  return {
    login: authentication.loginEndpoint.replace(/\/$/, '').toLowerCase(),
    // The audience ends with a slash, and the command line adds another one.
    scope: `${authentication.audiences[0]}/.default`,
  };
}

/** Instance discovery, which loses the port, and tenant discovery. */
async function discover(login: string, tenant: string) {
  const asked = encodeURIComponent(`https://${new URL(login).hostname}/${tenant}/oauth2/v2.0/authorize`);
  const instance = await ask(`${login}/common/discovery/instance?authorization_endpoint=${asked}&api-version=1.0`);
  expect(instance.body.tenant_discovery_endpoint).toBe(`${login}/${tenant}/v2.0/.well-known/openid-configuration`);
  const { status, body } = await ask(String(instance.body.tenant_discovery_endpoint));
  expect(status).toBe(200);
  expect(String(body.issuer).startsWith(`${login}/`)).toBe(true);
  expect(new URL(String(body.token_endpoint)).pathname.split('/')[1]).toBe(tenant);
  return {
    token: String(body.token_endpoint),
    device: String(body.device_authorization_endpoint),
    authorize: String(body.authorization_endpoint),
  };
}

const USER_ANSWER = {
  token_type: 'Bearer',
  scope: expect.any(String),
  expires_in: 3599,
  ext_expires_in: 3599,
  access_token: expect.any(String),
  refresh_token: expect.any(String),
  foci: '1',
  id_token: expect.any(String),
  client_info: expect.any(String),
};

function checkUser({ status, headers, body }: Reply, oid: string, tid = TENANT): void {
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual(USER_ANSWER);
  const claims = claimsOf(String(body.id_token));
  expect(claims).toMatchObject({ aud: COMMAND_LINE, tid, oid, preferred_username: expect.any(String) });
  expect(claims).toMatchObject({ exp: expect.any(Number), nbf: expect.any(Number) });
  const info = JSON.parse(Buffer.from(String(body.client_info), 'base64url').toString());
  expect(info).toEqual({ uid: oid, utid: TENANT });
}

test('a service principal registers the cloud, logs in with its tenant, and lists its subscriptions', async () => {
  const { login, scope } = await register();
  const { token } = await discover(login, TENANT);
  const form = {
    client_id: APP,
    grant_type: 'client_credentials',
    client_info: '1',
    client_secret: APP_SECRET,
    claims: CLAIMS,
    scope,
  };
  const { status, body } = await post(token, form);
  expect(status).toBe(200);
  expect(body).toEqual({
    token_type: 'Bearer',
    expires_in: 3599,
    ext_expires_in: 3599,
    access_token: expect.any(String),
  });
  expect(claimsOf(String(body.access_token)).aud).toBe(`${jar.httpsUrl}/`);
  const listed = await read('/subscriptions?api-version=2022-12-01', body.access_token);
  expect(listed.body.value).toEqual([
    expect.objectContaining({
      subscriptionId: expect.any(String),
      displayName: 'Cloudjar',
      state: 'Enabled',
      tenantId: TENANT,
      managedByTenants: [],
    }),
  ]);

  const refused = await post(token, { ...form, client_secret: 'wrong' });
  expect(refused.status).toBe(401);
  expect(refused.body).toEqual({
    error: 'invalid_client',
    error_description: expect.stringMatching(/^AADSTS7000215: /),
    error_codes: [7000215],
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/),
    trace_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    correlation_id: HEADERS['client-request-id'],
  });
});

test('a user logs in by device code without a tenant, and gets the subscriptions of each tenant', async () => {
  const { login, scope } = await register();
  const { token, device } = await discover(login, 'organizations');
  const scopes = `${scope} offline_access openid profile`;
  const started = await post(device, { client_id: COMMAND_LINE, scope: scopes });
  expect(started.status).toBe(200);
  expect(started.body).toEqual({
    user_code: expect.any(String),
    device_code: expect.any(String),
    verification_uri: `${jar.httpsUrl}/devicelogin`,
    expires_in: 900,
    interval: 5,
    message: expect.stringContaining(String(started.body.user_code)),
  });
  const poll = (): Promise<Reply> =>
    post(token, {
      client_id: COMMAND_LINE,
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_info: '1',
      code: String(started.body.device_code),
      claims: CLAIMS,
      device_code: String(started.body.device_code),
    });
  const waiting = await poll();
  expect(waiting.status).toBe(400);
  expect(waiting.body).toMatchObject({ error: 'authorization_pending', error_codes: [70016] });
  const fields = { user_code: String(started.body.user_code), username: 'gus', password: 'open sesame' };
  const page = await fetch(`${jar.httpsUrl}/devicelogin`, { method: 'POST', body: new URLSearchParams(fields) });
  expect(page.status).toBe(200);
  const first = await poll();
  checkUser(first, GUEST);

  const tenants = await read('/tenants?api-version=2022-12-01', first.body.access_token);
  const row = (id: string, displayName: string, domain: string) => ({
    id: `/tenants/${id}`,
    tenantId: id,
    countryCode: 'US',
    displayName,
    domains: [domain],
    tenantCategory: 'Home',
    defaultDomain: domain,
    tenantType: 'AAD',
  });
  expect(tenants.body).toEqual({
    value: [row(TENANT, 'Vendor Example', 'vendor.example'), row(OTHER_TENANT, 'Other Example', 'other.example')],
  });

  let refresh_token = String(first.body.refresh_token);
  const found: [tenant: string, names: unknown][] = [];
  for (const { tenantId } of tenants.body.value as { tenantId: string }[]) {
    const endpoints = await discover(login, tenantId);
    const silent = await post(endpoints.token, {
      client_id: COMMAND_LINE,
      grant_type: 'refresh_token',
      client_info: '1',
      claims: CLAIMS,
      refresh_token,
      scope: scopes,
    });
    checkUser(silent, GUEST, tenantId);
    refresh_token = String(silent.body.refresh_token);
    const { body } = await read('/subscriptions?api-version=2022-12-01', silent.body.access_token);
    found.push([tenantId, (body.value as { displayName: string }[]).map(({ displayName }) => displayName)]);
  }
  expect(found).toEqual([
    [TENANT, ['Cloudjar']],
    [OTHER_TENANT, ['Other']],
  ]);
});

test('a user logs in by name and password, after the realm of the user was asked', async () => {
  const { login, scope } = await register();
  const { token } = await discover(login, 'organizations');
  const realm = await ask(`${login}/common/userrealm/admin@vendor.example?api-version=1.0`, {
    headers: { accept: 'application/json', 'client-request-id': HEADERS['client-request-id'] },
  });
  expect(realm.body).toMatchObject({ ver: '1.0', account_type: 'Managed', domain_name: 'vendor.example' });
  const form = {
    client_id: COMMAND_LINE,
    grant_type: 'password',
    client_info: '1',
    claims: CLAIMS,
    username: 'admin@vendor.example',
    password: PASSWORD,
    scope: `${scope} offline_access openid profile`,
  };
  const answer = await post(token, form);
  checkUser(answer, ADMIN);

  // A tenant in which the user is not a member.
  const elsewhere = await post(token.replace('organizations', OTHER_TENANT), {
    client_id: COMMAND_LINE,
    grant_type: 'refresh_token',
    refresh_token: String(answer.body.refresh_token),
    scope: form.scope,
  });
  expect(elsewhere.status).toBe(400);
  expect(elsewhere.body).toMatchObject({ error: 'invalid_grant', error_codes: [50020] });
});

test('a cloud with the authority of a server on premises needs neither instance discovery nor the realm of the user', async () => {
  const { scope } = await register();
  const { status, body } = await ask(`${jar.httpsUrl}/adfs/.well-known/openid-configuration`);
  expect(status).toBe(200);
  const token = String(body.token_endpoint);
  // The library takes the first segment as the tenant, and `adfs` makes it skip those two requests.
  expect(new URL(token).pathname.split('/')[1]).toBe('adfs');

  const application = { client_id: APP, client_secret: APP_SECRET, grant_type: 'client_credentials', client_info: '1' };
  const asApplication = await post(token, { ...application, claims: CLAIMS, scope });
  expect(asApplication.status).toBe(200);
  expect(claimsOf(String(asApplication.body.access_token)).tid).toBe(TENANT);

  const user = { username: 'admin@vendor.example', password: PASSWORD, client_info: '1', claims: CLAIMS };
  const scopes = `${scope} offline_access openid profile`;
  const asUser = await post(token, { client_id: COMMAND_LINE, grant_type: 'password', ...user, scope: scopes });
  checkUser(asUser, ADMIN);
  const listed = await read('/subscriptions?api-version=2022-12-01', asUser.body.access_token);
  expect(listed.body.value).toEqual([expect.objectContaining({ displayName: 'Cloudjar', tenantId: TENANT })]);

  const device = await post(String(body.device_authorization_endpoint), { client_id: COMMAND_LINE, scope: scopes });
  expect(device.body).toMatchObject({ user_code: expect.any(String), message: expect.any(String) });
});

test('commands that run at the same moment renew their tokens with one refresh token, and another tool of the vendor takes it too', async () => {
  const { login, scope } = await register();
  const { token } = await discover(login, TENANT);
  const scopes = `${scope} offline_access openid profile`;
  const user = { username: 'admin@vendor.example', password: PASSWORD, scope: scopes, client_info: '1' };
  const { body } = await post(token, { client_id: COMMAND_LINE, grant_type: 'password', ...user });
  const renew = (client_id: string): Promise<Reply> =>
    post(token, {
      client_id,
      grant_type: 'refresh_token',
      client_info: '1',
      refresh_token: String(body.refresh_token),
      scope: scopes,
    });
  for (const answer of await Promise.all([1, 2, 3].map(() => renew(COMMAND_LINE)))) checkUser(answer, ADMIN);
  checkUser(await renew(COMMAND_LINE), ADMIN);

  await control(jar, 'PUT', `applications/${SHELL}`, { displayName: 'Shell', public: true });
  const shared = await renew(SHELL);
  expect(shared.body).toMatchObject({ foci: '1', refresh_token: expect.any(String) });
  expect(claimsOf(String(shared.body.access_token)).azp).toBe(SHELL);
  expect((await renew(PAGE)).body).toMatchObject({ error: 'invalid_grant', error_codes: [70000] });
});

test('a user logs in with a browser, at any port of this machine', async () => {
  const { login, scope } = await register();
  const { authorize, token } = await discover(login, 'organizations');
  const redirect_uri = 'http://localhost:49731';
  const scopes = `${scope} offline_access openid profile`;
  for (const response_mode of ['query', 'form_post']) {
    const query = new URLSearchParams({
      client_id: COMMAND_LINE,
      response_type: 'code',
      redirect_uri,
      scope: scopes,
      state: 'a-state',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      nonce: 'a-nonce',
      prompt: 'select_account',
      client_info: '1',
      claims: CLAIMS,
      response_mode,
    });
    const page = await fetch(`${authorize}?${query}`);
    const flow = /name="flow" value="([^"]*)"/.exec(await page.text())?.[1] ?? '';
    const signedIn = await fetch(`${login}/organizations/login`, {
      method: 'POST',
      headers: {
        cookie: page.headers
          .getSetCookie()
          .map((line) => line.split(';')[0])
          .join('; '),
      },
      body: new URLSearchParams({ flow, username: 'admin@vendor.example', password: PASSWORD }),
      redirect: 'manual',
    });
    const posted = await signedIn.text();
    const sent =
      response_mode === 'query'
        ? Object.fromEntries(new URL(signedIn.headers.get('location') ?? '').searchParams)
        : Object.fromEntries(
            [...posted.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
          );
    expect(sent).toEqual({
      code: expect.any(String),
      client_info: expect.any(String),
      session_state: expect.any(String),
      state: 'a-state',
    });
    const answer = await post(token, {
      client_id: COMMAND_LINE,
      grant_type: 'authorization_code',
      client_info: '1',
      claims: CLAIMS,
      code: String(sent.code),
      redirect_uri,
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      scope: scopes,
    });
    checkUser(answer, ADMIN);
    expect(claimsOf(String(answer.body.id_token)).nonce).toBe('a-nonce');
  }
});
