import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startJar } from '../../../src/testing/index.ts';
import { findChromium } from '../../support/chromium.ts';
import { control, PASSWORD } from './support.ts';
import { ordinaryWindow, signIn } from './windows.ts';

const CLIENT_ID = '70000000-0000-4000-8000-000000000001';
const INSTALLATION_MS = 300_000;

/** The library for the v2 endpoints; a dependency of `@azure/identity`. */
const library = () => {
  const require = createRequire(createRequire(import.meta.url).resolve('@azure/identity'));
  return readFile(
    require.resolve('@azure/msal-browser/package.json').replace('package.json', 'lib/msal-browser.min.js'),
  );
};

const application = (jar: string): string => `<!doctype html>
<meta charset="utf-8"><title>Application</title>
<p id="user"></p><p id="subscription"></p><p id="problem"></p>
<button id="sign-in">Sign in</button><button id="list">List</button>
<script src="/msal.js"></script>
<script type="module">
  const show = (id, text) => { document.getElementById(id).textContent = text; };
  const on = (id, action) => { document.getElementById(id).onclick = () => action().catch((error) => show('problem', String(error))); };
  const scopes = ['${jar}/user_impersonation'];
  const app = new msal.PublicClientApplication({
    auth: { clientId: '${CLIENT_ID}', authority: '${jar}/common', knownAuthorities: ['${new URL(jar).host}'], redirectUri: location.origin + '/' },
  });
  await app.initialize();
  await app.handleRedirectPromise().catch((error) => show('problem', String(error)));
  const [account] = app.getAllAccounts();
  show('user', account ? account.username : 'nobody');
  on('sign-in', () => app.loginRedirect({ scopes }));
  on('list', async () => {
    show('subscription', '');
    const { accessToken } = await app.acquireTokenSilent({ scopes, account, forceRefresh: true });
    const response = await fetch('${jar}/subscriptions?api-version=2022-12-01', { headers: { authorization: 'Bearer ' + accessToken } });
    show('subscription', (await response.json()).value.map((each) => each.displayName).join());
  });
</script>`;

test('MSAL signs in by code with proof key from a page, renews with its refresh token and calls the management API', {
  timeout: INSTALLATION_MS,
}, async (context) => {
  const found = await findChromium();
  if ('missing' in found) return context.skip(found.missing);
  await using jar = await startJar();
  const script = await library();
  const server = createServer((request, response) => {
    const isScript = request.url === '/msal.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : application(jar.httpsUrl));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  await control(jar, 'PUT', `applications/${CLIENT_ID}`, {
    displayName: 'New page',
    public: true,
    redirectUris: [`${origin}/`],
  });

  const page = await (await ordinaryWindow(found, jar)).newPage();
  await page.goto(`${origin}/`);
  await page.locator('#user', { hasText: 'nobody' }).waitFor();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${jar.httpsUrl}/common/oauth2/v2.0/authorize?*`);
  await signIn(page, 'licensed@vendor.example', PASSWORD);
  await page.locator('#user', { hasText: 'licensed@vendor.example' }).waitFor();
  const renewTwice = async (): Promise<void> => {
    for (let renewal = 1; renewal <= 2; renewal++) {
      await page.getByRole('button', { name: 'List' }).click();
      await page.locator('#subscription', { hasText: 'Cloudjar' }).waitFor();
    }
  };
  await renewTwice();
  // Page and browser session work although the jar's clock is a month ahead.
  await jar.clock.advance('30d');
  await renewTwice();
  await page.reload();
  await page.locator('#user', { hasText: 'licensed@vendor.example' }).waitFor();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${origin}/`);
  await page.locator('#user', { hasText: 'licensed@vendor.example' }).waitFor();
  expect(await page.locator('#problem').textContent()).toBe('');
});
