import { ClientSecretCredential, UsernamePasswordCredential } from '@azure/identity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { trust } from '../../support/trust.ts';
import { APP, APP_SECRET, COMMAND_LINE, claimsOf, MANAGEMENT, PASSWORD, subscriptions, TENANT } from './support.ts';

/** The official library, configured only with the jar's address. */
let jar: TestJar;
const options = () => ({ authorityHost: jar.httpsUrl, disableInstanceDiscovery: true });

beforeAll(async () => {
  jar = await startJar();
  trust(jar);
});
afterAll(() => jar.close());

test('an application gets a token for its secret and calls the management API with it', async () => {
  const credential = new ClientSecretCredential(TENANT, APP, APP_SECRET, options());
  const { token, expiresOnTimestamp } = await credential.getToken(`${MANAGEMENT}/.default`);
  expect(claimsOf(token)).toMatchObject({ idtyp: 'app', azp: APP, iss: `${jar.httpsUrl}/${TENANT}/v2.0` });
  expect(expiresOnTimestamp).toBeGreaterThan(jar.clock.now().getTime());
  expect((await subscriptions(jar, token)).names).toEqual(['Cloudjar']);
});

test('the tenant may be named by its domain, and the resource by the address of the jar', async () => {
  const credential = new ClientSecretCredential('vendor.example', APP, APP_SECRET, options());
  const { token } = await credential.getToken(`${jar.httpsUrl}/.default`);
  expect((await subscriptions(jar, token)).status).toBe(200);
});

test('a wrong secret is told in words that the library understands', async () => {
  const credential = new ClientSecretCredential(TENANT, APP, 'wrong', options());
  await expect(credential.getToken(`${MANAGEMENT}/.default`)).rejects.toThrow(/invalid_client.*AADSTS7000215/s);
});

test('a user gets a token for name and password', async () => {
  const credential = new UsernamePasswordCredential(
    TENANT,
    COMMAND_LINE,
    'licensed@vendor.example',
    PASSWORD,
    options(),
  );
  const { token } = await credential.getToken(`${MANAGEMENT}/.default`);
  expect(claimsOf(token)).toMatchObject({ preferred_username: 'licensed@vendor.example', scp: 'user_impersonation' });
  expect((await subscriptions(jar, token)).status).toBe(200);
});
