import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { openJar } from '../../../src/jar/index.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import { startJar } from '../../../src/testing/index.ts';
import { STORES } from './stores.ts';
import { APP, APP_SECRET, askToken, COMMAND_LINE, MANAGEMENT, PASSWORD, subscriptions, TENANT } from './support.ts';

const credentials = {
  grant_type: 'client_credentials',
  client_id: APP,
  client_secret: APP_SECRET,
  scope: `${MANAGEMENT}/.default`,
};
const password = { grant_type: 'password', client_id: COMMAND_LINE, username: 'admin', password: PASSWORD };

describe.each(STORES)('%s', (_, start) => {
  test('with strict expiry a token is good until its hour is over by the clock of the jar', async (context) => {
    await using jar = await start(context, { strictTokenExpiry: true });
    const { body } = await askToken(jar, credentials);
    expect((await subscriptions(jar, body.access_token ?? '')).status).toBe(200);
    await jar.clock.advance('59m');
    expect((await subscriptions(jar, body.access_token ?? '')).status).toBe(200);
    await jar.clock.advance('61m');
    const refused = await subscriptions(jar, body.access_token ?? '');
    expect(refused).toMatchObject({ status: 401, code: 'ExpiredAuthenticationToken' });
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });
});

test('a token that was changed, unsigned, signed by a stranger or of another jar is refused', async () => {
  await using jar = await startJar();
  await using neighbour = await startJar();
  const token = (await askToken(jar, credentials)).body.access_token ?? '';
  const [header = '', payload = '', signature = ''] = token.split('.');
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const forged = {
    'other claims': `${header}.${encode({ ...claims, oid: '10000000-0000-4000-8000-000000000011' })}.${signature}`,
    'no signature': `${header}.${payload}.`,
    'algorithm none': `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    'a key of the sender': `${encode({ ...decodeProtectedHeader(token), kid: 'mine' })}.${payload}.${signature}`,
    'another signature': `${header}.${payload}.${'A'.repeat(signature.length)}`,
    'another jar': (await askToken(neighbour, credentials)).body.access_token ?? '',
    'no token at all': 'nonsense',
  };
  for (const [name, bad] of Object.entries(forged)) {
    expect(await subscriptions(jar, bad), name).toMatchObject({ status: 401, code: 'InvalidAuthenticationToken' });
  }
});

test('an id token is no access token, and a token for one service none for another', async () => {
  await using jar = await startJar();
  const both = await askToken(jar, { ...password, scope: `openid ${COMMAND_LINE}/.default` });
  expect(both.status).toBe(200);
  expect((await subscriptions(jar, both.body.id_token ?? '')).status).toBe(401);
  expect(await subscriptions(jar, both.body.access_token ?? '')).toMatchObject({
    status: 401,
    code: 'InvalidAuthenticationTokenAudience',
  });
});

test('a delegated token without user_impersonation gets 403 from management operations', async () => {
  await using jar = await startJar();
  const { body } = await askToken(jar, { ...password, scope: `${MANAGEMENT}/read` });
  expect((await subscriptions(jar, body.access_token ?? '')).status).toBe(403);
});

test('keys rotate: new tokens are signed with the new key, the old ones stay good, the published set has both', async () => {
  const config = loadConfig({ flags: { port: 0, httpsPort: 0, memory: true, clock: 'virtual' }, cwd: '/' });
  const running = await openJar({ config, inProcess: true });
  try {
    const jar = { url: running.url };
    const keysUrl = new URL(`${jar.url}/${TENANT}/discovery/v2.0/keys`);
    const before = (await askToken(jar, credentials)).body.access_token ?? '';
    await running.jar.keys.rotate();
    const after = (await askToken(jar, credentials)).body.access_token ?? '';
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
    const keys = createRemoteJWKSet(keysUrl);
    for (const token of [before, after]) {
      await jwtVerify(token, keys, {
        issuer: `${jar.url}/${TENANT}/v2.0`,
        audience: MANAGEMENT,
        algorithms: ['RS256'],
      });
      expect((await subscriptions(jar, token)).status).toBe(200);
    }
    await running.advance('46d');
    const later = (await askToken(jar, credentials)).body.access_token ?? '';
    const kids = [before, after, later].map((token) => decodeProtectedHeader(token).kid);
    expect(new Set(kids).size).toBe(3);
    const published = (await (await fetch(keysUrl)).json()) as { keys: Record<string, string>[] };
    expect(published.keys.map(({ kid }) => kid)).toEqual(expect.arrayContaining(kids));
    for (const key of published.keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  } finally {
    await running.close();
  }
});
