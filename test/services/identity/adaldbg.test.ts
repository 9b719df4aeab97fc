import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { findChromium } from '../../support/chromium.ts';
import { control, PASSWORD } from './support.ts';

/**
 * The stock browser library of the older endpoints, as it comes from the package registry, in a real browser: sign-in by
 * redirect, a token by the implicit flow in a hidden frame, a call to the management API from another origin.
 */
const CLIENT_ID = '60000000-0000-4000-8000-000000000001';
const INSTALLATION_MS = 300_000;

const APPLICATION = `<!doctype html>
<meta charset="utf-8"><title>Application</title>
<p id="user"></p><p id="subscription"></p><p id="problem"></p>
<button id="sign-in">Sign in</button><button id="list">List</button><button id="sign-out">Sign out</button>
<script src="/adal.js"></script>
<script src="/config.js"></script>
<script>
  const context = new AuthenticationContext({
    instance: JAR + '/', tenant: 'common', clientId: CLIENT_ID, redirectUri: location.origin + '/', cacheLocation: 'sessionStorage',
    postLogoutRedirectUri: location.origin + '/',
  });
  const show = (id, text) => { document.getElementById(id).textContent = text; };
  context.handleWindowCallback();
  if (window === window.parent) {
    const user = context.getCachedUser();
    show('user', user ? user.userName : 'nobody');
    show('problem', context.getLoginError() || '');
  }
  document.getElementById('sign-in').onclick = () => context.login();
  document.getElementById('sign-out').onclick = () => context.logOut();
  document.getElementById('list').onclick = () => {
    show('subscription', '');
    context.acquireToken(JAR, async (problem, token) => {
      if (!token) return show('problem', problem);
      window.lastToken = token;
      const response = await fetch(JAR + '/subscriptions?api-version=2022-12-01', { headers: { authorization: 'Bearer ' + token } });
      show('subscription', (await response.json()).value.map((each) => each.displayName).join());
    });
  };
</script>`;

let jar: TestJar;
let server: Server;
let origin: string;
let browser: Browser | undefined;
let missing: string | undefined;

beforeAll(async () => {
  const found = await findChromium();
  if ('missing' in found) {
    missing = found.missing;
    return;
  }
  jar = await startJar();
  const library = await readFile(new URL('../../../node_modules/adal-angular/lib/adal.js', import.meta.url));
  const files: Record<string, string | Buffer> = {
    '/': APPLICATION,
    '/adal.js': library,
    '/config.js': `const JAR = ${JSON.stringify(jar.httpsUrl)}, CLIENT_ID = ${JSON.stringify(CLIENT_ID)};`,
  };
  server = createServer((request, response) => {
    const content = files[request.url?.split('?')[0] ?? ''];
    response.setHeader('content-type', request.url?.endsWith('.js') ? 'text/javascript' : 'text/html');
    response.writeHead(content === undefined ? 404 : 200).end(content);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const registration = { displayName: 'Old page', public: true, implicit: true, redirectUris: [`${origin}/`] };
  expect((await control(jar, 'PUT', `applications/${CLIENT_ID}`, registration)).status).toBe(201);
  const trusted = `--ignore-certificate-errors-spki-list=${await publicKeyHash(new URL(jar.httpsUrl))}`;
  browser = await chromium.launch({ ...found, args: [...found.args, trusted] });
}, INSTALLATION_MS);

afterAll(async () => {
  await browser?.close();
  server?.close();
  await jar?.close();
});

/** The browser has no flag for a CA; it has one for the public key of one certificate, which is all that this test trusts. */
async function publicKeyHash({ hostname, port }: URL): Promise<string> {
  const socket = connect({ host: hostname, port: Number(port), servername: hostname, ca: jar.ca });
  await once(socket, 'secureConnect');
  const key = socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' }) ?? '';
  socket.destroy();
  return createHash('sha256').update(key).digest('base64');
}

async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('adal signs in, calls the management API, renews in a hidden frame and signs out', async (context) => {
  if (!browser) return context.skip(missing);
  const page = await browser.newPage();
  const complaints: string[] = []; page.on('request', (r) => console.log('REQ', r.url().slice(0, 300))); page.on('response', (r) => console.log('RES', r.status(), JSON.stringify(r.headers()).slice(0, 400))); page.on('console', (m) => console.log('CON', m.text()));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${origin}/`);
  expect(await page.locator('#user').textContent()).toBe('nobody');

  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${jar.httpsUrl}/common/oauth2/authorize?*`);
  expect(await page.getByRole('main').textContent()).toContain('to continue to Old page');
  await signIn(page, 'admin@vendor.example', 'wrong');
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('User name').inputValue()).toBe('admin@vendor.example');
  await signIn(page, 'admin@vendor.example', PASSWORD);
  await page.waitForURL(`${origin}/**`);
  await page.locator('#user', { hasText: 'admin@vendor.example' }).waitFor();
  expect(await page.locator('#problem').textContent()).toBe('');

  const list = async (): Promise<string> => {
    await page.getByRole('button', { name: 'List' }).click();
    await page.locator('#subscription', { hasText: 'Cloudjar' }).waitFor();
    return page.evaluate(() => (globalThis as unknown as { lastToken: string }).lastToken);
  };
  const first = await list();
  expect(await list()).toBe(first);
  await page.evaluate(() => (globalThis as unknown as { context: { clearCacheForResource(resource: string): void } }).context.clearCacheForResource);
  await page.evaluate((resource) => {
    const { sessionStorage } = globalThis as unknown as { sessionStorage: { removeItem(key: string): void } };
    sessionStorage.removeItem(`adal.access.token.key${resource}`);
    sessionStorage.removeItem(`adal.expiration.key${resource}`);
  }, jar.httpsUrl);
  expect(await list()).not.toBe(first);

  // The wrong password is the one thing that went wrong, and its page says so with its status.
  expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([]);

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.locator('#user', { hasText: 'nobody' }).waitFor();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Password').waitFor();
});

test('adal hears that nobody is signed in', async (context) => {
  if (!browser) return context.skip(missing);
  const page = await browser.newPage({ baseURL: origin });
  await page.goto('/');
  const problem = await page.evaluate(
    (jarUrl) =>
      new Promise((resolve) => {
        const frame = (globalThis as unknown as { document: { createElement(name: string): { src: string; onload: () => void; contentWindow: { location: { hash: string } } }; body: { append(node: unknown): void } } }).document;
        const element = frame.createElement('iframe');
        element.onload = () => resolve(element.contentWindow.location.hash);
        element.src = jarUrl;
        frame.body.append(element);
      }),
    `${jar.httpsUrl}/common/oauth2/authorize?${new URLSearchParams({ client_id: CLIENT_ID, redirect_uri: `${origin}/`, response_type: 'token', prompt: 'none' })}`,
  );
  expect(problem).toContain('error=login_required');
});
