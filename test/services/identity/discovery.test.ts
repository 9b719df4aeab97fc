import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openJar } from '../../../src/jar/index.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { APP, APP_SECRET, claimsOf, MANAGEMENT, OTHER_TENANT, TENANT } from './support.ts';

let jar: TestJar;
beforeAll(async () => {
  jar = await startJar();
});
afterAll(() => jar.close());

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(jar.url + path, { headers });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

const documents: [path: string, issuer: string, tenant: string, infix: string][] = [
  ['/common/.well-known/openid-configuration', '/{tenantid}/', 'common', ''],
  ['/common/v2.0/.well-known/openid-configuration', '/{tenantid}/v2.0', 'common', '/v2.0'],
  ['/organizations/v2.0/.well-known/openid-configuration', '/{tenantid}/v2.0', 'organizations', '/v2.0'],
  ['/adfs/.well-known/openid-configuration', '/{tenantid}/v2.0', 'adfs', '/v2.0'],
  ['/ADFS/v2.0/.well-known/openid-configuration', '/{tenantid}/v2.0', 'adfs', '/v2.0'],
  [`/${TENANT}/.well-known/openid-configuration`, `/${TENANT}/`, TENANT, ''],
  [`/${TENANT}/v2.0/.well-known/openid-configuration`, `/${TENANT}/v2.0`, TENANT, '/v2.0'],
  ['/other.example/v2.0/.well-known/openid-configuration', `/${OTHER_TENANT}/v2.0`, OTHER_TENANT, '/v2.0'],
  ['/Vendor.Example/.well-known/openid-configuration', `/${TENANT}/`, TENANT, ''],
];
test.each(documents)('%s', async (path, issuer, tenant, infix) => {
  const { status, body } = await get(path);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    issuer: jar.url + issuer,
    authorization_endpoint: `${jar.url}/${tenant}/oauth2${infix}/authorize`,
    token_endpoint: `${jar.url}/${tenant}/oauth2${infix}/token`,
    end_session_endpoint: `${jar.url}/${tenant}/oauth2${infix}/logout`,
    jwks_uri: `${jar.url}/${tenant}/discovery${infix}/keys`,
    userinfo_endpoint: `${jar.url}/${tenant}/openid/userinfo`,
  });
  const keys = await fetch(String(body.jwks_uri));
  expect(((await keys.json()) as { keys: unknown[] }).keys).toHaveLength(1);
});

test('every address is the one that the client used', async () => {
  const localhost = jar.url.replace('127.0.0.1', 'localhost');
  const response = await fetch(`${localhost}/common/.well-known/openid-configuration`);
  expect(((await response.json()) as Record<string, string>).token_endpoint).toBe(`${localhost}/common/oauth2/token`);
});

describe('a host that is no name of the jar', () => {
  const EVIL = 'login.evil.example';
  const FORWARDED = {
    'x-forwarded-host': EVIL,
    'x-forwarded-proto': 'https',
    'x-forwarded-port': '666',
    'x-original-host': EVIL,
    forwarded: `host=${EVIL};proto=https`,
  };

  /** Not `fetch`, which sets the Host header itself. */
  async function ask(port: string, path: string, headers: Record<string, string>): Promise<string> {
    const asked = request({ host: '127.0.0.1', port, path, headers }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return JSON.stringify(response.headers) + (await text(response));
  }

  const PATHS = [
    '/common/.well-known/openid-configuration',
    `/${TENANT}/v2.0/.well-known/openid-configuration`,
    '/common/discovery/instance',
    '/subscriptions?api-version=2022-12-01',
    '/api/v2.0/companies',
  ];

  test.for(PATHS)('is not repeated by %s', async (path) => {
    const { port } = new URL(jar.url);
    for (const host of [EVIL, `${EVIL}:${port}`, `localhost.${EVIL}`, '8.8.8.8', `evil:${port}`, '[2606:4700::1]']) {
      const shown = await ask(port, path, { ...FORWARDED, host });
      expect(shown).toContain(`http://localhost:${port}/`);
      expect(shown).not.toMatch(/evil|8\.8\.8\.8|2606:/);
    }
  });

  test.for(['localhost', 'login.localhost', '127.0.0.1', '192.168.1.20', '[::1]', 'management.azure.com'])(
    'is another one than %s',
    async (host) => {
      const { port } = new URL(jar.url);
      const shown = await ask(port, PATHS[0] ?? '', { ...FORWARDED, host: `${host}:${port}` });
      expect(shown).toContain(`"token_endpoint":"http://${host}:${port}/common/oauth2/token"`);
    },
  );

  test('is not in the tokens that it asks for', async () => {
    const { port } = new URL(jar.url);
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: APP,
      client_secret: APP_SECRET,
      scope: `${MANAGEMENT}/.default`,
    });
    const headers = { host: EVIL, 'content-type': 'application/x-www-form-urlencoded' };
    const asked = request({ host: '127.0.0.1', port, method: 'POST', path: `/${TENANT}/oauth2/v2.0/token`, headers });
    asked.end(body.toString());
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const { access_token } = JSON.parse(await text(response)) as { access_token: string };
    expect(claimsOf(access_token).iss).toBe(`http://localhost:${port}/${TENANT}/v2.0`);
  });

  test('is answered with the public address of a shared jar, which knows the names of its network', async () => {
    const flags = { port: 0, httpsPort: 0, memory: true, host: '0.0.0.0', publicUrl: ['https://jar.corp.example/'] };
    const shared = await openJar({ config: loadConfig({ flags, cwd: '/' }), inProcess: true });
    try {
      const { port } = new URL(shared.url);
      const endpointOf = async (host: string) =>
        /"token_endpoint":"([^"]*)\/common/.exec(await ask(port, PATHS[0] ?? '', { ...FORWARDED, host }))?.[1];
      expect(await endpointOf(EVIL)).toBe('https://jar.corp.example');
      expect(await endpointOf('jar.corp.example:8080')).toBe('http://jar.corp.example:8080');
      // A proxy that terminates TLS forwards HTTPS requests over HTTP.
      for (const host of ['jar.corp.example', 'JAR.corp.example:443']) {
        expect(await endpointOf(host)).toBe('https://jar.corp.example');
      }
      for (const host of ['cloudjar:7400', 'printer.local', 'jar.internal', hostname().toLowerCase()]) {
        expect(await endpointOf(host)).toBe(`http://${host}`);
      }
    } finally {
      await shared.close();
    }
  });
});

test('an unknown tenant is refused in the shape of the service', async () => {
  for (const path of ['/nowhere.example/.well-known/openid-configuration', '/nowhere.example/discovery/keys']) {
    const { status, body } = await get(path);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'invalid_tenant', error_codes: [90002] });
  }
});

test('pages of any origin may read it', async () => {
  for (const path of [
    '/common/.well-known/openid-configuration',
    '/common/discovery/keys',
    '/common/discovery/instance',
  ]) {
    expect((await get(path, { origin: 'https://page.example' })).headers.get('access-control-allow-origin')).toBe('*');
  }
});

describe('instance discovery', () => {
  const asking = (endpoint: string) =>
    get(`/common/discovery/instance?api-version=1.0&authorization_endpoint=${encodeURIComponent(endpoint)}`);

  test('says that the host is its own cloud, by its name with the port and without', async () => {
    const { host, hostname } = new URL(jar.url);
    const { body } = await asking(`${jar.url}/common/oauth2/authorize`);
    expect(body).toEqual({
      tenant_discovery_endpoint: `${jar.url}/common/v2.0/.well-known/openid-configuration`,
      'api-version': '1.1',
      metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host, hostname] }],
    });
  });

  test('leads to the tenant that was asked for, and puts in the port that a client left out', async () => {
    const https = new URL(jar.httpsUrl).port;
    const cases: [asked: string, endpoint: string][] = [
      [`${jar.url}/${TENANT}/oauth2/v2.0/authorize`, `${jar.url}/${TENANT}`],
      [`https://localhost/${TENANT}/oauth2/v2.0/authorize`, `https://localhost:${https}/${TENANT}`],
      ['https://10.0.0.7:8443/organizations/oauth2/v2.0/authorize', 'https://10.0.0.7:8443/organizations'],
      // If that name resolves to the jar, libraries use it whatever their authority is.
      ['https://login.microsoftonline.com/common/oauth2/authorize', `${jar.url}/common`],
    ];
    for (const [asked, endpoint] of cases) {
      const { status, body } = await asking(asked);
      expect(status).toBe(200);
      expect(body.tenant_discovery_endpoint).toBe(`${endpoint}/v2.0/.well-known/openid-configuration`);
      expect((await fetch(`${jar.url}${new URL(String(body.tenant_discovery_endpoint)).pathname}`)).status).toBe(200);
    }
  });

  test.for([
    'https://login.evil.example/common/oauth2/v2.0/authorize',
    'nonsense',
    'https://localhost',
    'https://localhost.evil.example/common',
  ])('refuses %s', async (endpoint) => {
    const { status, body } = await asking(endpoint);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'invalid_instance', error_codes: [50049] });
  });
});

test('a user realm is managed if the jar has the domain, whether the user exists or not', async () => {
  const { host } = new URL(jar.url);
  const realm = async (user: string) =>
    (await get(`/common/userrealm/${encodeURIComponent(user)}?api-version=1.0`)).body;
  const common = { ver: '1.0', cloud_instance_name: host, cloud_audience_urn: 'urn:federation:cloudjar' };
  for (const user of ['admin@vendor.example', 'nobody@Vendor.Example']) {
    expect(await realm(user)).toEqual({ ...common, account_type: 'Managed', domain_name: 'vendor.example' });
  }
  for (const user of ['admin', 'admin@', 'someone@elsewhere.example', TENANT]) {
    expect(await realm(user)).toEqual({ ...common, account_type: 'Unknown' });
  }
});

test('the user info is returned only to the bearer of the token', async () => {
  const authorization = `Bearer ${await jar.token({ user: 'licensed' })}`;
  expect((await get('/common/openid/userinfo', { authorization })).body).toMatchObject({
    name: 'Lin Licensed',
    tid: TENANT,
  });
  const bad: Record<string, string>[] = [
    {},
    { authorization: 'Bearer nonsense' },
    { authorization: `Bearer ${await jar.token({ user: 'app' })}` },
  ];
  for (const headers of bad) {
    const refused = await get('/common/openid/userinfo', headers);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
  }
});

test('an unknown address below a common tenant is refused in the shape of the service', async () => {
  const { status, body } = await get('/common/oauth2/nothing');
  expect(status).toBe(404);
  expect(body).toMatchObject({ error: 'invalid_request' });
});
