import { ClientCertificateCredential, DeviceCodeCredential } from '@azure/identity';
import {
  type AuthenticationResult,
  ConfidentialClientApplication,
  type INetworkModule,
  type NetworkRequestOptions,
  type NetworkResponse,
  PublicClientApplication,
} from '@azure/msal-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { trust } from '../../support/trust.ts';
import { newApplicationCertificate } from './certificate.ts';
import { APP, COMMAND_LINE, claimsOf, control, OTHER_TENANT, PASSWORD, subscriptions, TENANT } from './support.ts';

/** The vendor's sign-in library for programs: its requests, and its results. */

const GUEST = '10000000-0000-4000-8000-000000000099';
let jar: TestJar;

beforeAll(async () => {
  jar = await startJar();
  trust(jar);
  await control(jar, 'PUT', `users/${GUEST}`, {
    username: 'gus@vendor.example',
    alias: 'gus',
    password: 'open sesame',
    guestOf: [OTHER_TENANT],
  });
});
afterAll(() => jar.close());

/** The library's network layer, which holds polls until the user has signed in: otherwise it would wait five real seconds. */
class HeldNetwork implements INetworkModule {
  readonly #until: Promise<unknown>;
  constructor(until: Promise<unknown>) {
    this.#until = until;
  }

  sendGetRequestAsync<T>(url: string, options?: NetworkRequestOptions): Promise<NetworkResponse<T>> {
    return this.#send<T>(url, { ...(options?.headers && { headers: options.headers }) });
  }

  async sendPostRequestAsync<T>(url: string, options?: NetworkRequestOptions): Promise<NetworkResponse<T>> {
    if (options?.body?.includes('device_code=')) await this.#until;
    const { headers, body } = options ?? {};
    return this.#send<T>(url, { method: 'POST', ...(headers && { headers }), ...(body !== undefined && { body }) });
  }

  async #send<T>(url: string, init: RequestInit): Promise<NetworkResponse<T>> {
    const response = await fetch(url, init);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: (await response.json()) as T,
    };
  }
}

const approve = async (user_code: string, username: string, password: string): Promise<void> => {
  const body = new URLSearchParams({ user_code, username, password });
  const { status } = await fetch(`${jar.httpsUrl}/devicelogin`, { method: 'POST', body });
  expect(status).toBe(200);
};

const publicClient = (authority: string, networkClient?: INetworkModule): PublicClientApplication =>
  new PublicClientApplication({
    auth: {
      clientId: COMMAND_LINE,
      authority: `${jar.httpsUrl}/${authority}`,
      knownAuthorities: [new URL(jar.httpsUrl).host],
    },
    ...(networkClient && { system: { networkClient } }),
  });

/** Like the command line: the audience with its trailing slash. */
const scopes = () => [`${jar.httpsUrl}//.default`];

const namesFor = async (result: AuthenticationResult | null) =>
  (await subscriptions(jar, result?.accessToken ?? '')).names;

test('a user signs in by device code, and the same sign-in gives tokens of another tenant and for other scopes', async () => {
  const approval = Promise.withResolvers<void>();
  const client = publicClient('organizations', new HeldNetwork(approval.promise));
  const result = await client.acquireTokenByDeviceCode({
    scopes: scopes(),
    deviceCodeCallback: ({ userCode, verificationUri, expiresIn, interval }) => {
      expect({ verificationUri, expiresIn, interval }).toEqual({
        verificationUri: `${jar.httpsUrl}/devicelogin`,
        expiresIn: 900,
        interval: 5,
      });
      approve(userCode, 'gus', 'open sesame').then(approval.resolve, approval.reject);
    },
  });
  expect(result?.account).toMatchObject({
    homeAccountId: `${GUEST}.${TENANT}`,
    username: 'gus@vendor.example',
    tenantId: TENANT,
  });
  expect(await namesFor(result)).toEqual(['Cloudjar']);
  const account = result?.account ?? undefined;
  if (!account) throw new Error('there is no account');

  const there = await client.acquireTokenSilent({
    scopes: scopes(),
    account,
    authority: `${jar.httpsUrl}/${OTHER_TENANT}`,
    forceRefresh: true,
  });
  expect(claimsOf(there.accessToken)).toMatchObject({ tid: OTHER_TENANT, oid: GUEST });
  expect(await namesFor(there)).toEqual(['Other']);
  const mail = await client.acquireTokenSilent({ scopes: ['https://graph.vendor.example/Mail.Read'], account });
  expect(claimsOf(mail.accessToken)).toMatchObject({ aud: 'https://graph.vendor.example', tid: TENANT });
});

test('a device code that the user declines ends the wait of the library', async () => {
  const decline = Promise.withResolvers<void>();
  const asked = publicClient(TENANT, new HeldNetwork(decline.promise)).acquireTokenByDeviceCode({
    scopes: scopes(),
    deviceCodeCallback: ({ userCode }) => {
      const body = new URLSearchParams({ user_code: userCode, cancel: '1' });
      fetch(`${jar.httpsUrl}/devicelogin`, { method: 'POST', body }).then(() => decline.resolve(), decline.reject);
    },
  });
  await expect(asked).rejects.toThrow(/authorization_declined/);
});

test('a user signs in by name and password', async () => {
  const result = await publicClient('organizations').acquireTokenByUsernamePassword({
    scopes: scopes(),
    username: 'licensed@vendor.example',
    password: PASSWORD,
  });
  expect(result?.account?.username).toBe('licensed@vendor.example');
  expect(await namesFor(result)).toEqual(['Cloudjar']);
});

test('an application proves itself with its certificate, by either thumbprint', async () => {
  const certificate = newApplicationCertificate();
  const registered = { displayName: 'Sample application', alias: 'app', certificates: [certificate.file] };
  const { status, body } = await control(jar, 'PUT', `applications/${APP}`, registered);
  expect(status).toBe(200);
  expect(body.certificates).toEqual([certificate.thumbprint]);
  const { privateKey, thumbprint, thumbprintSha256 } = certificate;
  for (const clientCertificate of [
    { thumbprint, privateKey },
    { thumbprintSha256, privateKey },
  ]) {
    const client = new ConfidentialClientApplication({
      auth: {
        clientId: APP,
        authority: `${jar.httpsUrl}/${TENANT}`,
        knownAuthorities: [new URL(jar.httpsUrl).host],
        clientCertificate,
      },
    });
    const result = await client.acquireTokenByClientCredential({ scopes: scopes() });
    expect(claimsOf(result?.accessToken ?? '')).toMatchObject({ idtyp: 'app', azp: APP });
    expect(await namesFor(result)).toEqual(['Cloudjar']);
  }

  const credential = new ClientCertificateCredential(
    TENANT,
    APP,
    { certificate: certificate.file },
    { authorityHost: jar.httpsUrl, disableInstanceDiscovery: true },
  );
  const { token } = await credential.getToken(`${jar.httpsUrl}/.default`);
  expect((await subscriptions(jar, token)).status).toBe(200);
});

test('the credential for device codes of the SDKs signs a user in', async () => {
  const approval = Promise.withResolvers<void>();
  const credential = new DeviceCodeCredential({
    tenantId: TENANT,
    clientId: COMMAND_LINE,
    authorityHost: jar.httpsUrl,
    disableInstanceDiscovery: true,
    userPromptCallback: ({ userCode }) => {
      approve(userCode, 'admin', PASSWORD).then(approval.resolve, approval.reject);
    },
    additionalPolicies: [
      {
        position: 'perCall',
        policy: {
          name: 'wait for the user',
          async sendRequest(request, next) {
            if (String(request.body ?? '').includes('device_code=')) await approval.promise;
            return next(request);
          },
        },
      },
    ],
  });
  const { token } = await credential.getToken(`${jar.httpsUrl}/.default`);
  expect((await subscriptions(jar, token)).names).toEqual(['Cloudjar']);
});
