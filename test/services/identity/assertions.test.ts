import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { newApplicationCertificate } from './certificate.ts';
import { askToken, COMMAND_LINE, claimsOf, control, MANAGEMENT, TENANT } from './support.ts';

/** Applications that authenticate with assertions signed by the key of a certificate. */

const CLIENT = '30000000-0000-4000-8000-0000000000c1';
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const V2 = `/${TENANT}/oauth2/v2.0/token`;
const own = newApplicationCertificate('own');
const foreign = newApplicationCertificate('foreign');

let jar: TestJar;
beforeAll(async () => {
  jar = await startJar();
  await control(jar, 'PUT', `applications/${CLIENT}`, { displayName: 'CI', alias: 'ci', certificates: [own.file] });
});
afterAll(() => jar.close());

interface Claims {
  readonly [name: string]: unknown;
}

const bytesOf = (thumbprint: string): string => Buffer.from(thumbprint, 'hex').toString('base64url');
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

const GOOD = (): Claims => ({
  iss: CLIENT,
  sub: CLIENT,
  aud: jar.url + V2,
  jti: 'one',
  nbf: inSeconds(0),
  exp: inSeconds(600),
});

const signed = (claims: Claims = GOOD(), header: Record<string, string> = {}, key = own.privateKey): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', x5t: bytesOf(own.thumbprint), ...header })
    .sign(createPrivateKey(key));

const present = (assertion: string, more: Record<string, string> = {}, path = V2) =>
  askToken(
    jar,
    {
      grant_type: 'client_credentials',
      client_id: CLIENT,
      client_assertion_type: TYPE,
      client_assertion: assertion,
      scope: `${MANAGEMENT}/.default`,
      ...more,
    },
    path,
  );

describe('an assertion is accepted', () => {
  test.for([
    ['RS256 and the SHA-1 thumbprint', {}],
    ['a thumbprint that is padded, as some libraries write it', { x5t: `${bytesOf(own.thumbprint)}=` }],
    ['PS256 and the SHA-256 thumbprint', { alg: 'PS256', 'x5t#S256': bytesOf(own.thumbprintSha256), x5t: 'unused' }],
  ] as const)('with %s', async ([, header]) => {
    const { status, body } = await present(await signed(GOOD(), header));
    expect(status).toBe(200);
    expect(claimsOf(body.access_token ?? '')).toMatchObject({ idtyp: 'app', azp: CLIENT });
  });

  test('again while it is good, at both endpoints, and for the issuer of the tenant', async () => {
    const assertion = await signed();
    for (const path of [V2, V2, `/${TENANT}/oauth2/token`])
      expect((await present(assertion, {}, path)).status).toBe(200);
    for (const aud of [
      `${jar.url}/${TENANT}/v2.0`,
      [`${jar.url}/${TENANT}/`, 'another'],
      `${jar.url}/common/oauth2/token`,
    ]) {
      expect((await present(await signed({ ...GOOD(), aud }))).status).toBe(200);
    }
  });

  test('by the clock of the client, however far that of the jar was moved', async () => {
    await using moved = await startJar();
    await control(moved, 'PUT', `applications/${CLIENT}`, { displayName: 'CI', certificates: [own.pem] });
    await moved.clock.advance('30d');
    const form = { grant_type: 'client_credentials', client_id: CLIENT, scope: `${MANAGEMENT}/.default` };
    const client_assertion = await signed({ ...GOOD(), aud: moved.url + V2 });
    expect((await askToken(moved, { ...form, client_assertion_type: TYPE, client_assertion })).status).toBe(200);
  });
});

describe('an assertion is refused', () => {
  const cases: readonly (readonly [title: string, make: () => Promise<string>, number: number])[] = [
    ['that nobody could read', async () => 'nonsense', 50027],
    ['without a signature', async () => `${(await signed()).split('.').slice(0, 2).join('.')}.`, 700027],
    ['of another algorithm', () => signed(GOOD(), { alg: 'RS512' }), 50027],
    ['without a thumbprint', () => signed(GOOD(), { x5t: undefined as never }), 50027],
    ['of a certificate that is not registered', () => signed(GOOD(), { x5t: bytesOf(foreign.thumbprint) }), 700027],
    ['signed with another key', () => signed(GOOD(), {}, foreign.privateKey), 700027],
    ['of another application', () => signed({ ...GOOD(), sub: COMMAND_LINE }), 700021],
    ['without an issuer', () => signed({ ...GOOD(), iss: undefined }), 50027],
    ['without an end', () => signed({ ...GOOD(), exp: undefined }), 50027],
    ['for another host', () => signed({ ...GOOD(), aud: `https://evil.example${V2}` }), 700023],
    ['for another address of the jar', () => signed({ ...GOOD(), aud: `${jar.url}/subscriptions/a/b` }), 700023],
    ['that has expired', () => signed({ ...GOOD(), nbf: 1000, exp: 2000 }), 700024],
    ['that begins in an hour', () => signed({ ...GOOD(), nbf: inSeconds(3600) }), 700024],
    ['that ends beyond all dates', () => signed({ ...GOOD(), nbf: 1e14, exp: 1e15 }), 700024],
  ];
  test.for(cases)('%s', async ([, make, number]) => {
    const { status, body } = await present(await make());
    expect({ status, error: body.error, codes: body.error_codes }).toEqual({
      status: 401,
      error: 'invalid_client',
      codes: [number],
    });
  });

  test('of another type, beside a secret, or from a public application', async () => {
    const assertion = await signed();
    expect((await present(assertion, { client_assertion_type: 'saml' })).body.error_codes).toEqual([50027]);
    expect((await present(assertion, { client_secret: 'secret' })).body.error_codes).toEqual([9002313]);
    expect((await present(assertion, { client_id: COMMAND_LINE })).body.error_codes).toEqual([700025]);
  });
});

test('certificates stay unless others are given, are shown by their thumbprints alone, and are checked', async () => {
  const path = `applications/${CLIENT}`;
  const kept = await control(jar, 'PUT', path, { displayName: 'Renamed', alias: 'ci' });
  expect(kept.body).toMatchObject({ hasSecret: false, certificates: [own.thumbprint] });
  expect(kept.text).not.toContain('BEGIN');
  for (const bad of ['', own.privateKey, 'x'.repeat(19_000)]) {
    const refused = await control(jar, 'PUT', path, { displayName: 'Renamed', alias: 'ci', certificates: [bad] });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'BadCertificate' } } });
  }
  expect((await present(await signed())).status).toBe(200);
  await control(jar, 'PUT', path, { displayName: 'Renamed', alias: 'ci', certificates: [] });
  expect((await present(await signed())).body.error_codes).toEqual([700027]);
});
