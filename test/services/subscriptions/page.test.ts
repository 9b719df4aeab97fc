import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Page } from 'playwright-core';
import { expect, type TestContext, test } from 'vitest';
import {
  OWNERSHIP_APPLICATION,
  OWNERSHIP_SCOPE,
  SIGNED_IN_PATH,
} from '../../../src/services/subscriptions/ownership/application.ts';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { findChromium } from '../../support/chromium.ts';
import { trust } from '../../support/trust.ts';
import { PASSWORD } from '../identity/support.ts';
import { ordinaryWindow, signIn } from '../identity/windows.ts';
import { ALIASES, FOR_OTTO } from './support.ts';

const INSTALLATION_MS = 300_000;

// biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of every shape
async function ask(jar: TestJar, method: string, path: string, body?: unknown, user = 'admin'): Promise<any> {
  const headers = { authorization: `Bearer ${await jar.token({ user })}`, 'content-type': 'application/json' };
  const sent = body === undefined ? null : JSON.stringify(body);
  const response = await fetch(`${jar.httpsUrl}${path}`, { method, headers, body: sent });
  return response.json();
}

/** A browser on the page of a subscription that Otto has to accept. */
async function offered(context: TestContext, jar: TestJar): Promise<{ page: Page; id: string; url: string }> {
  const found = await findChromium();
  if ('missing' in found) return context.skip(found.missing);
  const alias = `${ALIASES}/gift?api-version=2021-10-01`;
  const { properties } = await ask(jar, 'PUT', alias, { properties: FOR_OTTO });
  await jar.clock.advance('1s');
  const url = properties.acceptOwnershipUrl;
  const page = await (await ordinaryWindow(found, jar)).newPage();
  await page.goto(url);
  return { page, id: properties.subscriptionId, url };
}

const browserTest = (title: string, body: (context: TestContext, jar: TestJar) => Promise<void>): void => {
  test(title, { timeout: INSTALLATION_MS }, async (context) => {
    await using jar = await startJar();
    trust(jar);
    await body(context, jar);
  });
};

browserTest('the new owner opens the address, signs in, accepts, and uses the subscription', async (context, jar) => {
  const { page, id, url } = await offered(context, jar);
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${jar.httpsUrl}/organizations/oauth2/v2.0/authorize?*`);
  await signIn(page, 'other@other.example', PASSWORD);
  await page.getByText(`admin@vendor.example has created the subscription ${id} for you.`).waitFor();
  expect(page.url()).toBe(url);
  expect(await page.getByLabel('Name of the subscription').inputValue()).toBe('New');
  await page.getByLabel('Name of the subscription').fill('<b>Mine</b>');
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByText(`You own the subscription ${id} now.`).waitFor();
  const path = `/subscriptions/${id}?api-version=2022-12-01`;
  expect(await ask(jar, 'GET', path, undefined, 'other')).toMatchObject({
    displayName: '<b>Mine</b>',
    state: 'Enabled',
  });
  // The browser session still exists, so one click shows the state.
  await page.goto(url);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'other@other.example' }).click();
  await page.getByText('The ownership of this subscription is completed.').waitFor();
  expect(problems).toEqual([]);
});

browserTest(
  'somebody else is told that there is nothing for them, and can sign in as another',
  async (context, jar) => {
    const { page, id } = await offered(context, jar);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signIn(page, 'licensed@vendor.example', PASSWORD);
    await page.getByText(`The subscription '${id}' could not be found.`).waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Use another account' }).click();
    await signIn(page, 'other@other.example', PASSWORD);
    await page.getByRole('button', { name: 'Accept' }).waitFor();
  },
);

browserTest('who cancels the sign-in is back on the page', async (context, jar) => {
  const { page, url } = await offered(context, jar);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('.problem').waitFor();
  expect(page.url()).toBe(url);
});

browserTest('slashes too many in the address do no harm', async (context, jar) => {
  const { page, id, url } = await offered(context, jar);
  await page.goto(`${url.replace('/providers', '//providers')}/`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await signIn(page, 'other@other.example', PASSWORD);
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByText(`You own the subscription ${id} now.`).waitFor();
});

test('the page allows no script but its own, and may not be framed', async () => {
  await using jar = await startJar();
  const response = await fetch(`${jar.url}/providers/Vendor.Subscription/subscriptions/x/acceptOwnership`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/script-src 'sha256-[^']+';/);
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
});

test('the sign-in of the page never redirects to a foreign address', async () => {
  await using jar = await startJar();
  const authorize = (redirect: string) =>
    fetch(
      `${jar.url}/organizations/oauth2/v2.0/authorize?${new URLSearchParams({
        client_id: '10000000-0000-4000-8000-0000000000d1',
        response_type: 'code',
        scope: `${jar.url}/user_impersonation`,
        redirect_uri: redirect,
      })}`,
      { redirect: 'manual' },
    );
  const path = '/providers/Vendor.Subscription/acceptOwnership';
  expect((await authorize(jar.url + path)).status).toBe(200);
  for (const elsewhere of [`https://evil.example${path}`, `${jar.url}${path}/more`, `${jar.url}${path}?x=1`, path])
    expect((await authorize(elsewhere)).status, elsewhere).toBe(400);
});

/** The status of the sign-in request of the page, sent to a given host name of the jar. */
async function signInStatus(jar: TestJar, host: string, origin: string): Promise<number | undefined> {
  const { hostname, port } = new URL(jar.url);
  const query = new URLSearchParams({
    client_id: OWNERSHIP_APPLICATION.id,
    response_type: 'code',
    scope: OWNERSHIP_SCOPE,
    redirect_uri: origin + SIGNED_IN_PATH,
  });
  const path = `/organizations/oauth2/v2.0/authorize?${query}`;
  const sent = request({ hostname, port, path, headers: { host } }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

test('a jar whose address has no port sends nobody to another port of the machine', async () => {
  await using jar = await startJar();
  expect(await signInStatus(jar, 'localhost', 'http://localhost')).toBe(200);
  expect(await signInStatus(jar, 'localhost', 'http://localhost:9999')).toBe(400);
});

test('behind a proxy that ends TLS, owners sign in at the public address and at no other', async () => {
  await using jar = await startJar({ publicUrl: ['https://jar.example'] });
  expect(await signInStatus(jar, 'jar.example', 'https://jar.example')).toBe(200);
  expect(await signInStatus(jar, 'jar.example', 'http://jar.example')).toBe(400);
  expect(await signInStatus(jar, 'evil.example', 'https://evil.example')).toBe(400);
});
