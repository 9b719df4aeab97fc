import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import type { ConsoleMessage, Page } from 'playwright-core';
import { expect, type TestContext, test } from 'vitest';
import { root } from '../../scripts/lib/paths.mjs';
import { startJar, type TestJar } from '../../src/testing/index.ts';
import { ordinaryWindow } from '../services/identity/windows.ts';
import { findChromium } from '../support/chromium.ts';
import { trust } from '../support/trust.ts';

/** The first test of a run installs the browser and builds the console. */
const INSTALLATION_MS = 900_000;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface ConsoleStory {
  readonly jar: TestJar;
  readonly page: Page;
  /** Goes to a page of the console: `deliveries`. */
  open(address: string): Promise<void>;
  /** Asserts that axe finds no violation in what is shown, in both themes. */
  accessible(): Promise<void>;
  /** Answers of the jar to `fetch` with the admin key. */
  control(path: string, options?: { readonly method?: string; readonly body?: unknown }): Promise<Response>;
}

interface StoryOptions {
  readonly role?: 'admin' | 'reader';
  readonly size?: { readonly width: number; readonly height: number };
  readonly start?: Parameters<typeof startJar>[0];
  /** Errors in the browser's console that belong to the story: the browser reports every answer from 400 on as one. */
  readonly expected?: RegExp;
}

/**
 * A story in a browser against a jar over HTTPS. It fails on an error in the browser's console (among them every violation of the content
 * security policy), on an exception, and on a request to anywhere but the jar.
 */
export function consoleStory(
  title: string,
  body: (story: ConsoleStory) => Promise<void>,
  options: StoryOptions = {},
): void {
  test(title, { timeout: INSTALLATION_MS }, async (context) => {
    for (let left = MOST_DISTURBANCES; ; left--) {
      const disturbed = await played(context, body, options, left > 0);
      if (!disturbed) return;
    }
  });
}

/** Chromium cuts all connections when an address of the machine changes, as the container engine in another test does. */
const DISTURBANCE = /net::ERR_NETWORK_CHANGED/;
const MOST_DISTURBANCES = 5;

/** Returns true if the machine's network changed during the story, which then has to be played again. */
async function played(
  context: TestContext,
  body: (story: ConsoleStory) => Promise<void>,
  options: StoryOptions,
  mayBeDisturbed: boolean,
): Promise<boolean> {
  await using jar = await startJar(options.start);
  trust(jar);
  const { page, problems } = await openWindow(context, jar, options);
  const isDisturbed = (error?: unknown): boolean =>
    mayBeDisturbed && [...problems, String(error)].some((problem) => DISTURBANCE.test(problem));
  // At once: the story would wait to its time limit for what a cut request was to bring.
  page.on('console', () => isDisturbed() && void page.context().close());
  try {
    await signedIn(jar, page, options.role ?? 'admin');
    await body({
      jar,
      page,
      open: (address) => openPage(jar, page, address),
      accessible: () => assertAccessible(page),
      control: (path, request) => askControl(jar, path, request),
    });
  } catch (error) {
    if (!isDisturbed(error)) throw error;
    await page.context().close();
    return true;
  }
  if (isDisturbed()) return true;
  const { expected } = options;
  const unexpected = problems.filter((problem) => !DISTURBANCE.test(problem) && !expected?.test(problem));
  // All of them, since one explains another.
  expect(unexpected.length > 0 ? problems : []).toEqual([]);
  // Before the jar is closed, which would wait for the connections of the page.
  await page.context().close();
  return false;
}

export interface ConsoleWindow {
  readonly page: Page;
  readonly problems: string[];
}

export async function openWindow(
  context: TestContext,
  jar: TestJar,
  { size }: StoryOptions = {},
): Promise<ConsoleWindow> {
  const found = await findChromium();
  if ('missing' in found) return context.skip(found.missing);
  await builtConsole();
  const page = await (await ordinaryWindow(found, jar)).newPage();
  await page.setViewportSize(size ?? { width: 1280, height: 800 });
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(problemOf(message)));
  page.on('pageerror', (error) => problems.push(`exception ${error.message}`));
  page.on('dialog', (dialog) => problems.push(`dialog ${dialog.message()}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${jar.httpsUrl}/`) && !/^(?:data|blob|about):/.test(url)) problems.push(`request ${url}`);
  });
  return { page, problems };
}

const problemOf = (message: ConsoleMessage): string => `${message.text()} ${message.location().url}`.trim();

let built: Promise<unknown> | undefined;

/** Builds dist/console if it is out of date; under a lock, so that test processes do not do it twice. */
function builtConsole(): Promise<unknown> {
  built ??= promisify(execFile)(process.execPath, ['scripts/console.mjs'], { cwd: root });
  return built;
}

/** Opens the console with a one-time link, as `cloudjar open` does. */
export async function signedIn(jar: TestJar, page: Page, role: 'admin' | 'reader'): Promise<void> {
  const { url } = (await (await askControl(jar, '/_jar/console/links', { method: 'POST', body: { role } })).json()) as {
    url: string;
  };
  await page.goto(url);
  await page.getByRole('banner').waitFor();
}

export async function openPage(jar: TestJar, page: Page, address: string): Promise<void> {
  await page.goto(`${jar.httpsUrl}/console/${address}`);
  await page.getByRole('banner').waitFor();
}

export function askControl(
  jar: TestJar,
  path: string,
  { method = 'GET', body }: { readonly method?: string; readonly body?: unknown } = {},
): Promise<Response> {
  return fetch(`${jar.httpsUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${jar.adminKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** All rules in the theme that is shown; of the other theme the contrast, since nothing but colours differs. */
export async function assertAccessible(page: Page): Promise<void> {
  const shown = await themeOf(page);
  expect(await violationsOn(page), shown).toEqual([]);
  const other = shown === 'dark' ? 'light' : 'dark';
  await themeOf(page, other);
  expect(await violationsOn(page, ['color-contrast']), other).toEqual([]);
  await themeOf(page, shown);
}

const violationsOn = (page: Page, rules?: readonly string[]): Promise<Violation[]> =>
  page.evaluate(
    async ({ axe, options }) => {
      const window = globalThis as unknown as {
        axe?: { run(options: unknown): Promise<{ violations: Violation[] }> };
        eval(source: string): void;
      };
      if (!window.axe) window.eval(axe);
      if (!window.axe) throw new Error('axe does not run on this page');
      const { violations } = await window.axe.run(options);
      return violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })),
      }));
    },
    { axe: AXE, options: { resultTypes: ['violations'], ...(rules && { runOnly: rules }) } },
  );

/** The theme, after it was set to another if one is given. */
const themeOf = (page: Page, theme?: string): Promise<string> =>
  page.evaluate((wanted) => {
    const { dataset } = (globalThis as unknown as { document: { documentElement: { dataset: { theme: string } } } })
      .document.documentElement;
    if (wanted !== undefined) dataset.theme = wanted;
    return dataset.theme;
  }, theme);
