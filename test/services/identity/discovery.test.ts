import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { OTHER_TENANT, TENANT } from './support.ts';

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

test('the host is its own cloud', async () => {
  const { host } = new URL(jar.url);
  const { body } = await get(
    `/common/discovery/instance?api-version=1.1&authorization_endpoint=${jar.url}/common/oauth2/authorize`,
  );
  expect(body.metadata).toEqual([{ preferred_network: host, preferred_cache: host, aliases: [host] }]);
  expect(body.tenant_discovery_endpoint).toBe(`${jar.url}/common/v2.0/.well-known/openid-configuration`);
});

test('who a token belongs to is told to its bearer only', async () => {
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
