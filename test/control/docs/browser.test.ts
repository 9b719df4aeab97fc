import { expect, type TestContext, test } from 'vitest';
import { startJar } from '../../../src/testing/index.ts';
import { privateWindow } from '../../services/identity/windows.ts';
import { findChromium } from '../../support/chromium.ts';

const INSTALLATION_MS = 300_000;

async function openWindow(context: TestContext) {
  const found = await findChromium();
  if ('missing' in found) return context.skip(found.missing);
  const window = await privateWindow(found);
  const page = await window.newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  return { page, window, problems };
}

test('from the start page to an operation, by search, and back to it by its address', {
  timeout: INSTALLATION_MS,
}, async (context) => {
  await using jar = await startJar();
  const { page, problems } = await openWindow(context);
  await page.goto(jar.url);
  await page.getByRole('link', { name: /^API/ }).click();
  await expect.poll(() => page.title()).toBe('API - Cloudjar');

  // The page is long, and its script runs at the end.
  await expect.poll(() => page.locator('#find').isVisible()).toBe(true);
  await page.keyboard.press('/');
  await page.keyboard.type('clusters list');
  const status = page.getByRole('status');
  await expect.poll(() => status.textContent()).toMatch(/^\d+ operations?$/);
  const link = page.getByRole('link', { name: 'GET /api/2.0/clusters/list' });
  await expect.poll(() => link.first().isVisible()).toBe(true);
  expect(await page.getByRole('link', { name: 'POST /detect', exact: false }).first().isVisible()).toBe(false);

  await link.first().click();
  const here = page.locator('#Platform_clusters_list_2_0');
  await expect.poll(() => here.isVisible()).toBe(true);
  expect(page.url()).toBe(`${jar.url}/_jar/docs/api/platform#Platform_clusters_list_2_0`);
  expect(await here.locator('pre').last().textContent()).toBe(
    `curl "${jar.url}/api/2.0/clusters/list" \\\n  -H "Authorization: Bearer $(npx cloudjar token)"`,
  );
  await page.reload();
  await expect.poll(() => page.locator('#Platform_clusters_list_2_0').isVisible()).toBe(true);
  expect(await page.locator('#Platform_clusters_create_2_0').isVisible()).toBe(false);

  await page.goto(`${jar.url}/`);
  await page.getByRole('link', { name: 'OpenAPI document' }).click();
  await expect.poll(() => page.locator('body').textContent()).toContain('"openapi"');
  // Browsers request an icon, which the jar does not have.
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
});

test('an address opens its operation without a script as well', { timeout: INSTALLATION_MS }, async (context) => {
  await using jar = await startJar();
  const { window } = await openWindow(context);
  const quiet = await window.browser()?.newContext({ javaScriptEnabled: false });
  const page = await quiet?.newPage();
  if (!page) throw new Error('the browser has no windows');
  await page.goto(`${jar.url}/_jar/docs/api/translator#Translator_Detect`);
  await expect.poll(() => page.locator('#Translator_Detect').isVisible()).toBe(true);
  expect(await page.locator('#Translator_Translate').isVisible()).toBe(false);
  expect(await page.locator('#find').isVisible()).toBe(false);
});
