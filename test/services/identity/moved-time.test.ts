import { createRequire } from 'node:module';
import { ResourceManagementClient } from '@azure/arm-resources';
import { ClientSecretCredential } from '@azure/identity';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import { describe, expect, test } from 'vitest';
import type { ClockMode } from '../../../src/kernel/clock/types.ts';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { trust } from '../../support/trust.ts';
import { STORES } from './stores.ts';
import {
  APP,
  APP_SECRET,
  askToken,
  COMMAND_LINE,
  claimsOf,
  control,
  MANAGEMENT,
  PAGE,
  PAGE_URI,
  PASSWORD,
  proofKey,
  subscriptions,
  TENANT,
  Visitor,
} from './support.ts';

const SUBSCRIPTION = '10000000-0000-4000-8000-0000000000f1';
const CLOCKS: readonly ClockMode[] = ['virtual', 'shifted'];
const MONTH = '30d';
const implicit = { client_id: PAGE, response_type: 'token', redirect_uri: PAGE_URI, resource: MANAGEMENT };
const password = { grant_type: 'password', client_id: COMMAND_LINE, username: 'admin', password: PASSWORD };
const silent = { ...implicit, prompt: 'none' };

/** Counts a client's token requests separately from its other requests. */
function counting(clock: ClockMode, strictTokenExpiry = false) {
  const seen = { tokens: 0 };
  const start = async (): Promise<TestJar> => {
    const jar = await startJar({
      clock,
      strictTokenExpiry,
      observe: ({ call }) => {
        if (call.route.operation === 'Identity_TokenV2') seen.tokens++;
      },
    });
    trust(jar);
    return jar;
  };
  return { seen, start };
}

const groupNames = async (client: ResourceManagementClient): Promise<(string | undefined)[]> => {
  const names: (string | undefined)[] = [];
  for await (const { name } of client.resourceGroups.list()) names.push(name);
  return names;
};

const credentialFor = (jar: TestJar) =>
  new ClientSecretCredential(TENANT, APP, APP_SECRET, {
    authorityHost: jar.httpsUrl,
    disableInstanceDiscovery: true,
  });

/** The library inside `@azure/identity`, which programs also use directly. */
function confidentialClient(jar: TestJar) {
  const require = createRequire(createRequire(import.meta.url).resolve('@azure/identity'));
  const { ConfidentialClientApplication } = require('@azure/msal-node') as typeof import('@azure/msal-node');
  return new ConfidentialClientApplication({
    auth: {
      clientId: APP,
      clientSecret: APP_SECRET,
      authority: `${jar.httpsUrl}/${TENANT}`,
      knownAuthorities: [new URL(jar.httpsUrl).host],
    },
  });
}

describe.each(CLOCKS)('over a move of 30 days on the %s clock', (clock) => {
  test('@azure/identity and an official client go on with the token that they keep', async () => {
    const { seen, start } = counting(clock);
    await using jar = await start();
    const client = new ResourceManagementClient(credentialFor(jar), SUBSCRIPTION, { endpoint: jar.httpsUrl });
    await client.resourceGroups.createOrUpdate('kept', { location: 'westeurope' });
    expect(seen.tokens).toBe(1);
    await jar.clock.advance(MONTH);
    expect(await groupNames(client)).toEqual(['kept']);
    expect(seen.tokens).toBe(1);
    await jar.clock.advance(MONTH);
    await client.resourceGroups.createOrUpdate('another', { location: 'westeurope' });
    expect(seen.tokens).toBe(1);
  });

  test('MSAL goes on with its cache, and renews a user silently', async () => {
    const { seen, start } = counting(clock);
    await using jar = await start();
    const app = confidentialClient(jar);
    const scopes = [`${MANAGEMENT}/.default`];
    const first = await app.acquireTokenByClientCredential({ scopes });
    const redirectUri = 'http://localhost:3000/';
    const { verifier, challenge } = proofKey();
    const address = await app.getAuthCodeUrl({
      scopes,
      redirectUri,
      responseMode: 'query',
      codeChallenge: challenge,
      codeChallengeMethod: 'S256',
    });
    const landed = await new Visitor(jar.httpsUrl).signIn(
      Object.fromEntries(new URL(address).searchParams),
      'admin',
      PASSWORD,
      new URL(address).pathname,
    );
    // The clock advances between the issue and the redemption of the code.
    await jar.clock.advance('1d');
    const code = landed.sent.code ?? '';
    const user = await app.acquireTokenByCode({ scopes, redirectUri, code, codeVerifier: verifier });
    expect(seen.tokens).toBe(2);
    await jar.clock.advance(MONTH);
    const again = await app.acquireTokenByClientCredential({ scopes });
    expect(again).toMatchObject({ fromCache: true, accessToken: first?.accessToken });
    const account = user.account ?? undefined;
    if (!account) throw new Error('MSAL knows no account');
    const kept = await app.acquireTokenSilent({ scopes, account });
    expect(kept).toMatchObject({ fromCache: true, accessToken: user.accessToken });
    for (const { accessToken } of [kept, again ?? kept]) {
      expect((await subscriptions(jar, accessToken)).status).toBe(200);
    }
    // The refresh token is past its ninety days by the jar's clock.
    await jar.clock.advance('100d');
    const renewed = await app.acquireTokenSilent({ scopes, account, forceRefresh: true });
    expect(renewed.fromCache).toBe(false);
    expect((await subscriptions(jar, renewed.accessToken)).status).toBe(200);
  });

  test('a strict jar refuses what they keep, and gives them a new one', async () => {
    const { start } = counting(clock, true);
    await using jar = await start();
    const app = confidentialClient(jar);
    const scopes = [`${MANAGEMENT}/.default`];
    const kept = await app.acquireTokenByClientCredential({ scopes });
    await jar.clock.advance(MONTH);
    expect(await subscriptions(jar, kept?.accessToken ?? '')).toMatchObject({
      status: 401,
      code: 'ExpiredAuthenticationToken',
    });
    const next = await app.acquireTokenByClientCredential({ scopes, skipCache: true });
    expect((await subscriptions(jar, next?.accessToken ?? '')).status).toBe(200);
  });

  test('a standard library takes the id token of a sign-in after the move, and an API of others the access token', async () => {
    await using jar = await startJar({ clock });
    trust(jar);
    await jar.clock.advance(MONTH);
    const config = await openid.discovery(new URL(`${jar.httpsUrl}/${TENANT}/v2.0`), APP, APP_SECRET);
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: PAGE_URI,
      scope: `openid ${MANAGEMENT}/user_impersonation`,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const browser = new Visitor(jar.httpsUrl);
    const landed = await browser.submit(await browser.visit(address.href), { username: 'admin', password: PASSWORD });
    const tokens = await openid.authorizationCodeGrant(config, landed.location as URL, {
      pkceCodeVerifier,
      idTokenExpected: true,
    });
    expect(tokens.claims()).toMatchObject({ preferred_username: 'admin@vendor.example' });
    const keys = createRemoteJWKSet(new URL(`${jar.httpsUrl}/${TENANT}/discovery/v2.0/keys`));
    await jwtVerify(tokens.access_token, keys, { audience: MANAGEMENT });
  });

  test('the older endpoint says the end of a token by the clock that its clients have', async () => {
    await using jar = await startJar({ clock });
    await jar.clock.advance(MONTH);
    const form = { grant_type: 'client_credentials', client_id: APP, client_secret: APP_SECRET, resource: MANAGEMENT };
    const before = Math.floor(Date.now() / 1000);
    const { body } = await askToken(jar, form, `/${TENANT}/oauth2/token`);
    const after = Math.ceil(Date.now() / 1000);
    expect(Number(body.not_before)).toBeGreaterThanOrEqual(before - 1);
    expect(Number(body.expires_on)).toBeLessThanOrEqual(after + 3599);
    expect(claimsOf(body.access_token ?? '').exp).toBeGreaterThan(after + 29 * 86_400);
  });
});

describe.each(STORES)('%s: over a move of 30 days', (_, start) => {
  test.for(CLOCKS)('a browser stays signed in on the %s clock', async (clock, context) => {
    await using jar = await start(context, { clock });
    const browser = new Visitor(jar.url);
    const first = await browser.signIn(implicit);
    await jar.clock.advance(MONTH);
    const renewed = await browser.authorize(silent);
    expect(renewed.sent.session_state).toBe(first.sent.session_state);
    for (const { sent } of [first, renewed]) {
      expect((await subscriptions(jar, sent.access_token ?? '')).status).toBe(200);
    }
  });

  test('a reset and a restored snapshot set the clock back, and tokens of the future stay good', async (context) => {
    await using jar = await start(context);
    await jar.snapshot('before');
    await jar.clock.advance(MONTH);
    const future = (await askToken(jar, { ...password, scope: `${MANAGEMENT}/.default` })).body.access_token ?? '';
    await jar.restore('before');
    expect((await subscriptions(jar, future)).status).toBe(200);
    await jar.reset();
    expect((await subscriptions(jar, future)).status).toBe(200);
  });

  test('a used code and a replaced refresh token are still known as such', async (context) => {
    await using jar = await start(context);
    const form = { ...password, client_id: PAGE, scope: 'openid offline_access' };
    const first = (await askToken(jar, form)).body.refresh_token ?? '';
    const refresh = (token: string) =>
      askToken(jar, { grant_type: 'refresh_token', client_id: PAGE, refresh_token: token });
    await jar.clock.advance('200d');
    const second = await refresh(first);
    expect(second.status).toBe(200);
    await jar.clock.advance('200d');
    expect((await refresh(first)).body.error_codes).toEqual([700084]);
    expect((await refresh(second.body.refresh_token ?? '')).body.error_codes).toEqual([70000]);
  });

  test('a strict jar signs the browser out and removes what has ended', async (context) => {
    await using jar = await start(context, { strictTokenExpiry: true });
    const browser = new Visitor(jar.url);
    await browser.signIn(implicit);
    await jar.clock.advance(MONTH);
    expect((await browser.authorize(silent)).sent.error).toBe('login_required');
    expect((await control(jar, 'GET', 'clock')).body.nextDue).toBeNull();
  });
});

test.each(CLOCKS)('a lifetime that was asked for ends by the %s clock of the jar', async (clock) => {
  await using jar = await startJar({ clock });
  const token = await jar.token({ ttl: '2h' });
  await jar.clock.advance('119m');
  expect((await subscriptions(jar, token)).status).toBe(200);
  await jar.clock.advance('1m');
  expect(await subscriptions(jar, token)).toMatchObject({ status: 401, code: 'ExpiredAuthenticationToken' });
});

test('the second expiry of a token cannot be forged', async () => {
  await using jar = await startJar();
  const token = await jar.token({ ttl: '2h' });
  await jar.clock.advance('3h');
  const [header, payload = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const wall_exp of [9e9, Date.now(), '9e9', null, -1]) {
    const forged = `${header}.${encode({ ...claims, wall_exp })}.${signature}`;
    expect((await subscriptions(jar, forged)).code).toBe('InvalidAuthenticationToken');
  }
  expect((await subscriptions(jar, token)).code).toBe('ExpiredAuthenticationToken');
});
