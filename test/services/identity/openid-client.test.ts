import * as client from 'openid-client';
import { describe, expect, test } from 'vitest';
import { trust } from '../../support/trust.ts';
import { STORES } from './stores.ts';
import {
  ADMIN,
  APP,
  APP_SECRET,
  claimsOf,
  control,
  MANAGEMENT,
  PASSWORD,
  subscriptions,
  TENANT,
  Visitor,
} from './support.ts';

/** A standard library, which validates the discovery document, the id token and the user info itself. */
describe.each(STORES)('%s: openid-client', (_, start) => {
  test('signs a user in by code with proof key, renews, and reads who it is', async (context) => {
    await using jar = await start(context);
    trust(jar);
    const redirectUri = 'https://app.example/back';
    const clientId = '50000000-0000-4000-8000-000000000001';
    await control(jar, 'PUT', `applications/${clientId}`, {
      displayName: 'Web',
      redirectUris: [redirectUri],
      secret: 'web secret',
    });
    const issuer = new URL(`${jar.httpsUrl}/${TENANT}/v2.0`);
    const config = await client.discovery(issuer, clientId, 'web secret');
    expect(config.serverMetadata().issuer).toBe(issuer.href);

    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: `openid profile offline_access ${MANAGEMENT}/user_impersonation`,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    const browser = new Visitor(jar.httpsUrl);
    const landed = await browser.submit(await browser.visit(address.href), { username: 'admin', password: PASSWORD });
    const back = landed.location as URL;

    const tokens = await client.authorizationCodeGrant(config, back, {
      pkceCodeVerifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    expect(tokens.claims()).toMatchObject({
      aud: clientId,
      oid: ADMIN,
      sub: ADMIN,
      preferred_username: 'admin@vendor.example',
    });
    expect((await subscriptions(jar, tokens.access_token)).names).toEqual(['Cloudjar']);

    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(renewed.claims()?.sub).toBe(ADMIN);
    expect((await subscriptions(jar, renewed.access_token)).status).toBe(200);

    const info = await client.fetchUserInfo(config, renewed.access_token, ADMIN);
    expect(info).toMatchObject({ sub: ADMIN, name: 'Ada Admin', email: 'admin@vendor.example' });

    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('gets an application its own token, with the secret in the body and by HTTP Basic', async (context) => {
    await using jar = await start(context);
    trust(jar);
    const issuer = new URL(`${jar.httpsUrl}/${TENANT}/v2.0`);
    for (const proof of [client.ClientSecretPost(APP_SECRET), client.ClientSecretBasic(APP_SECRET)]) {
      const config = await client.discovery(issuer, APP, undefined, proof);
      const tokens = await client.clientCredentialsGrant(config, { scope: `${MANAGEMENT}/.default` });
      expect(claimsOf(tokens.access_token)).toMatchObject({ idtyp: 'app', azp: APP });
    }
  });
});
