import type { Server } from 'node:http';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJar, type TestJar } from '../../../src/testing/index.ts';
import { type Chromium, findChromium } from '../../support/chromium.ts';
import { serveApplication } from './adal-page.ts';
import { control, PASSWORD } from './support.ts';
import { ordinaryWindow, privateWindow, signIn } from './windows.ts';

const CLIENT_ID = '60000000-0000-4000-8000-000000000001';
const INSTALLATION_MS = 300_000;

let jar: TestJar;
let server: Server;
let origin: string;
let browser: Chromium | { missing: string };

beforeAll(async () => {
  browser = await findChromium();
  jar = await startJar();
  ({ server, origin } = await serveApplication());
  const registration = { displayName: 'Old page', public: true, implicit: true, redirectUris: [`${origin}/`] };
  expect((await control(jar, 'PUT', `applications/${CLIENT_ID}`, registration)).status).toBe(201);
}, INSTALLATION_MS);

afterAll(async () => {
  server.close();
  await jar.close();
});

const ways: [string, () => string, (found: Chromium) => Promise<BrowserContext>][] = [
  ['over https, from another site', () => jar.httpsUrl, (found) => ordinaryWindow(found, jar)],
  ['over http, from another port of the same host', () => jar.url.replace('127.0.0.1', 'localhost'), privateWindow],
];

test.for(ways)(
  '%s, adal signs in, calls the management API, renews in a hidden frame and signs out',
  async ([, address, open], context) => {
    if ('missing' in browser) return context.skip(browser.missing);
    const page = await (await open(browser)).newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const start = `${origin}/?${encodeURIComponent(address())}&${CLIENT_ID}`;
    await page.goto(start);
    expect(await page.locator('#user').textContent()).toBe('nobody');

    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${address()}/common/oauth2/authorize?*`);
    expect(await page.getByRole('main').textContent()).toContain('to continue to Old page');
    await signIn(page, 'admin@vendor.example', 'wrong');
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('User name').inputValue()).toBe('admin@vendor.example');
    await signIn(page, 'admin@vendor.example', PASSWORD);
    // The library takes the token from the address and returns to the page where the user started.
    await page.waitForURL(start);
    await page.locator('#user', { hasText: 'admin@vendor.example' }).waitFor();
    expect(await page.locator('#problem').textContent()).toBe('');

    const first = await list(page);
    expect(await list(page), 'a token in the cache is used again').toBe(first);
    await page.getByRole('button', { name: 'Forget' }).click();
    // Reloads, because a timer of the previous renewal would load its frame into the next one's.
    await page.reload();
    expect(await list(page), 'a hidden frame brings another').not.toBe(first);
    // The only expected error is the status of the page for the wrong password.
    expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([]);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('#user', { hasText: 'nobody' }).waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Password').waitFor();
  },
);

/** Requests the subscriptions, which needs a token; returns that token. */
async function list(page: Page): Promise<string | null> {
  await page.getByRole('button', { name: 'List' }).click();
  await page.locator('#subscription:not(:empty), #problem:not(:empty)').waitFor();
  expect(await page.locator('#problem').textContent()).toBe('');
  expect(await page.locator('#subscription').textContent()).toBe('Cloudjar');
  return page.locator('#subscription').getAttribute('data-token');
}
