import { expect } from 'vitest';
import { consoleStory } from './console-window.ts';

const DEVICE = { appVersion: '1.0', appBuild: '1', osName: 'Android', osVersion: '13', model: 'Pixel 6' };
const FRAME = { className: 'com.example.shop.Cart', methodName: 'buy', fileName: 'Cart.java', lineNumber: 42 };

consoleStory('an app is created, its crashes and usage appear, and its token is shown once', async (story) => {
  const { jar, page, open, accessible } = story;
  await open('lifecycle');
  await page.getByText('There is no app yet').waitFor();
  await accessible();
  await page.getByRole('button', { name: 'Create an app' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Shop');
  await accessible();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForURL(/\/console\/lifecycle\/admin\/Shop$/);
  await page.getByText('No crash and no error was reported in this period.').waitFor();

  const { lifecycle: token } = await jar.keys();
  const apps = await fetch(`${jar.httpsUrl}/v0.1/apps`, { headers: { 'x-api-token': String(token) } });
  const [app] = (await apps.json()) as { app_secret: string; os: string }[];
  expect(app?.os).toBe('Android');
  const at = new Date(jar.clock.now()).toISOString();
  const logs = [
    { type: 'startSession', sid: '4d1c5a4e-9a49-4a4c-8a52-0d2f0f5d3a01', timestamp: at, device: DEVICE },
    {
      type: 'event',
      id: '1b2c3d4e-0000-4000-8000-000000000001',
      name: 'Bought <b>tea</b>',
      timestamp: at,
      device: DEVICE,
    },
    {
      type: 'managedError',
      id: '1b2c3d4e-0000-4000-8000-000000000002',
      fatal: true,
      timestamp: at,
      device: DEVICE,
      exception: { type: 'java.lang.IllegalStateException', message: 'no tea left', frames: [FRAME] },
    },
  ];
  const sent = await fetch(`${jar.httpsUrl}/logs?api-version=1.0.0`, {
    method: 'POST',
    headers: {
      'app-secret': app?.app_secret ?? '',
      'install-id': '7b1c2a5e-3f7d-4a52-9d0c-2f8f1f7f7a10',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ logs }),
  });
  expect(sent.status).toBe(200);

  // The crash appears without a reload.
  await page.getByRole('button', { name: /Cart\.buy/ }).click();
  await page.getByText('no tea left').waitFor();
  await page
    .getByRole('list', { name: 'Stack trace' })
    .getByText(/Cart\.java/)
    .waitFor();
  await accessible();
  await page.getByRole('button', { name: 'open State of the group' }).click();
  await page.getByRole('option', { name: 'closed' }).click();
  await page.getByRole('cell', { name: 'closed' }).waitFor();

  await page.getByRole('tab', { name: 'Analytics' }).click();
  await page.getByRole('cell', { name: 'Bought <b>tea</b>' }).waitFor();
  await page.getByText('1 of 1 devices').waitFor();
  await accessible();
  await page.reload();
  await page.getByRole('cell', { name: 'Bought <b>tea</b>' }).waitFor();

  await page.getByRole('tab', { name: 'Tokens' }).click();
  await page.getByLabel('Description').fill('for the build');
  await page.getByRole('button', { name: 'Create a token' }).click();
  await page.getByText('Copy the token now').waitFor();
  const made = await page.getByRole('note').locator('pre').textContent();
  const used = await fetch(`${jar.httpsUrl}/v0.1/apps/admin/Shop`, { headers: { 'x-api-token': made ?? '' } });
  expect(used.status).toBe(200);
  await accessible();
  await page.reload();
  await page.getByRole('cell', { name: 'for the build' }).waitFor();
  expect(await page.getByText(made ?? '').count()).toBe(0);
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The app has no token of its own.').waitFor();
  const revoked = await fetch(`${jar.httpsUrl}/v0.1/apps/admin/Shop`, { headers: { 'x-api-token': made ?? '' } });
  expect(revoked.status).toBe(401);

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('There is no app yet').waitFor();
});

consoleStory(
  'a reader sees the apps, and nothing that would change them',
  async ({ jar, page, open, accessible }) => {
    const { lifecycle: token } = await jar.keys();
    const made = await fetch(`${jar.httpsUrl}/v0.1/apps`, {
      method: 'POST',
      headers: { 'x-api-token': String(token), 'content-type': 'application/json' },
      body: JSON.stringify({ display_name: 'Shop', os: 'Android', platform: 'Java' }),
    });
    expect(made.status).toBe(201);
    await open('lifecycle/admin/Shop');
    await page.getByText('No crash and no error was reported in this period.').waitFor();
    await page.getByRole('tab', { name: 'Analytics' }).click();
    await page.getByText('No event was sent in this period.').waitFor();
    expect(await page.getByRole('tab', { name: 'Tokens' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /Create|Delete/ }).count()).toBe(0);
    await accessible();
  },
  { role: 'reader' },
);
