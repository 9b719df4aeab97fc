import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { findChromium } from './chromium.ts';

const INSTALLATION_MS = 300_000;

test('the browser of the tests loads a page from localhost and runs its script', {
  timeout: INSTALLATION_MS,
}, async (context) => {
  const found = await findChromium();
  if ('missing' in found) return context.skip(found.missing);
  const page = '<title>before</title><script>document.title = "after"</script>';
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const browser = await chromium.launch(found);
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await tab.title()).toBe('after');
});
