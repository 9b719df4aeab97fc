import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { TestJar } from '../../../src/testing/index.ts';
import type { Chromium } from '../../support/chromium.ts';

const PAGE_MS = 120_000;
const SNAPSHOT_MS = 5_000;

/** The browser has no flag for a CA; it has one for the public key of a single certificate. */
async function publicKeyHash(jar: TestJar): Promise<string> {
  const { hostname, port } = new URL(jar.httpsUrl);
  const socket = connect({ host: hostname, port: Number(port), servername: hostname, ca: jar.ca });
  await once(socket, 'secureConnect');
  const key = socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' }) ?? '';
  socket.destroy();
  return createHash('sha256').update(key).digest('base64');
}

/** An ordinary window, in which pages may use third-party cookies. */
export async function ordinaryWindow(found: Chromium, jar: TestJar): Promise<BrowserContext> {
  const profile = await mkdtemp(join(tmpdir(), 'cloudjar-browser-'));
  onTestFinished(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }));
  // Some distributions ship a browser that blocks third-party cookies by default.
  await mkdir(join(profile, 'Default'));
  await writeFile(
    join(profile, 'Default', 'Preferences'),
    JSON.stringify({ profile: { block_third_party_cookies: false, cookie_controls_mode: 0 } }),
  );
  const trusted = `--ignore-certificate-errors-spki-list=${await publicKeyHash(jar)}`;
  const window = await chromium.launchPersistentContext(profile, { ...found, args: [...found.args, trusted] });
  onTestFinished(() => window.close());
  return patient(window);
}

/** A private window, which blocks third-party cookies. */
export async function privateWindow(found: Chromium): Promise<BrowserContext> {
  const launched = await chromium.launch(found);
  onTestFinished(() => launched.close());
  return patient(await launched.newContext());
}

/** A page may be slow on a busy machine: the limit is that of the test, whose failure says what was shown. */
function patient(window: BrowserContext): BrowserContext {
  window.setDefaultTimeout(PAGE_MS);
  onTestFinished(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    for (const page of window.pages()) {
      const shown = await page
        .locator('body')
        .ariaSnapshot({ timeout: SNAPSHOT_MS })
        .catch(() => 'is still loading');
      console.error(`${page.url()}\n${shown}`);
    }
  });
  return window;
}

/** Submits the sign-in page. */
export async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
