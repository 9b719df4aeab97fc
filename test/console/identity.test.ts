import { expect } from 'vitest';
import { APP, APP_SECRET, askToken, COMMAND_LINE, MANAGEMENT } from '../services/identity/support.ts';
import { consoleStory } from './console-window.ts';

const SCOPE = `${MANAGEMENT}/.default`;
const HOSTILE = '<img src=x onerror=alert(1)>';

consoleStory(
  'a user is created, signs in, is disabled and deleted, and every sign-in is in the log with its reason',
  async ({ jar, page, open, accessible, control }) => {
    const origin = { url: jar.httpsUrl };
    const signIn = (more: Record<string, string> = {}) =>
      askToken(
        origin,
        {
          grant_type: 'password',
          client_id: COMMAND_LINE,
          username: 'zoe@vendor.example',
          password: 'open sesame',
          scope: SCOPE,
          ...more,
        },
        undefined,
        { 'user-agent': HOSTILE },
      );
    await open('identity');
    await page.getByRole('row').filter({ hasText: 'Ada Admin' }).waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Create a user' }).click();
    await page.getByLabel('Sign-in name').fill('admin@vendor.example');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText(/is taken/).waitFor();
    await accessible();
    await page.getByLabel('Sign-in name').fill('zoe@vendor.example');
    await page.getByLabel('Display name').fill(`Zoe ${HOSTILE}`);
    await page.getByLabel('Password').fill('open sesame');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/\/console\/identity\/users\/[0-9a-f-]{36}$/);
    await page.getByRole('heading', { level: 2, name: `Zoe ${HOSTILE}` }).waitFor();
    await accessible();
    expect((await signIn()).status).toBe(200);
    await page.getByRole('tab', { name: 'Sign-ins' }).click();
    const table = page.getByRole('region', { name: 'Sign-ins' });
    await table.getByText('succeeded').waitFor();

    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    expect((await signIn()).body.error_codes).toEqual([50057]);
    // It appears without a reload, and leads to what happened and what to do.
    await table.getByText('AADSTS50057').waitFor();
    await accessible();
    await page
      .getByRole('navigation', { name: 'Parts of the page' })
      .getByRole('link', { name: 'Sign-in log' })
      .click();
    await page.getByRole('radio', { name: 'Failed' }).click();
    await page.getByRole('row', { name: /AADSTS50057/ }).click();
    await page.waitForURL(/\/console\/identity\/sign-ins\/[^?]+\?show=failed$/);
    await page.getByText('Enable the user to let it sign in again.').waitFor();
    await page.getByText(HOSTILE, { exact: true }).waitFor();
    await accessible();
    await page.reload();
    await page.getByText('Enable the user to let it sign in again.').waitFor();
    await page
      .getByRole('grid')
      .getByRole('row', { name: /AADSTS50057/ })
      .waitFor();
    await signIn({ password: 'wrong-9c1' });
    // While a sign-in is open, newer ones wait, so that the list does not move.
    await page.getByRole('button', { name: '1 new' }).click();
    await page.getByRole('grid').getByRole('row').filter({ hasText: 'zoe@vendor.example' }).first().click();
    await page.getByText('AADSTS50126').first().waitFor();
    expect(await page.content()).not.toContain('wrong-9c1');

    await page.getByRole('link', { name: `zoe@vendor.example` }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText(/Sessions and refresh tokens end/).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL(/\/console\/identity\/users(\?.*)?$/);
    const left = await control("/_jar/users?$filter=username eq 'zoe@vendor.example'");
    expect(await left.json()).toEqual({ value: [] });
  },
  { expected: /status of 409/ },
);

consoleStory(
  'an application is registered, its secret is shown once, and tokens are issued and decoded on the page only',
  async ({ jar, page, open, accessible }) => {
    const origin = { url: jar.httpsUrl };
    await open('identity/applications?new=application');
    await page.getByLabel('Name', { exact: true }).fill('Billing');
    await page.getByLabel('Redirect addresses').fill('javascript:alert(1)');
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await page.getByText(/cannot be registered/).waitFor();
    await accessible();
    await page.getByLabel('Redirect addresses').fill('http://localhost:4200/');
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await page.getByText('Copy the secret now').waitFor();
    await accessible();
    const secret = (await page.getByRole('note').locator('pre').textContent()) ?? '';
    const id = /applications\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
    const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret, scope: SCOPE };
    expect((await askToken(origin, form)).status).toBe(200);
    await page.reload();
    await page.getByRole('heading', { level: 2, name: 'Billing' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('tab', { name: 'Sign-ins' }).click();
    await page.getByRole('cell', { name: 'client_credentials' }).waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByText('Copy the secret now').waitFor();
    expect((await askToken(origin, form)).body.error_codes).toEqual([7000215]);

    // A token of this application, with what its claims mean.
    await page.getByRole('link', { name: 'Issue a token' }).click();
    await page.getByLabel('Valid for').fill('soon');
    await page.getByRole('button', { name: 'Issue the token' }).click();
    await page.getByText(/ttl/).first().waitFor();
    await page.getByLabel('Valid for').fill('10m');
    await page.getByRole('button', { name: 'Issue the token' }).click();
    const claims = page.getByRole('region', { name: 'Claims' });
    await claims.getByRole('row').filter({ hasText: 'appid' }).filter({ hasText: id }).waitFor();
    await page.getByText(/It expires/).waitFor();
    await accessible();
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    await jar.clock.advance('11m');
    await page.getByText(/It expired/).waitFor();

    // A pasted token is decoded and goes nowhere.
    const { body } = await askToken(origin, { ...form, client_id: APP, client_secret: APP_SECRET });
    await page.getByLabel('Token', { exact: true }).fill('no token');
    await page.getByText('A token has three parts').waitFor();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await page.getByLabel('Token', { exact: true }).fill(`Bearer ${body.access_token}`);
    await claims.getByRole('row').filter({ hasText: APP }).first().waitFor();
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    for (const kept of [...sent, stored, page.url()]) {
      expect(kept).not.toContain(body.access_token);
      expect(kept).not.toContain(token);
    }
    await page.reload();
    expect(await page.getByLabel('Token', { exact: true }).inputValue()).toBe('');
    await open('identity/tenants');
    await page.getByRole('cell', { name: 'vendor.example', exact: true }).waitFor();
    await accessible();
  },
  { expected: /status of 400/ },
);
