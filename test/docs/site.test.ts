import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { root } from '../../scripts/lib/paths.mjs';
import { openSite } from '../../src/control/docs/site.ts';
import { startJar } from '../../src/testing/index.ts';
import { privateWindow } from '../services/identity/windows.ts';
import { findChromium } from '../support/chromium.ts';

const BUILD_MS = 600_000;
const SITE = join(root, 'dist/docs');
const BASE = '/_jar/docs/';
const ORIGIN = 'http://jar.example';

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['scripts/docs.mjs'], { cwd: root });
}, BUILD_MS);

const pages = (): string[] =>
  globSync('**/*.md', { cwd: join(root, 'docs') }).map((page) => page.replaceAll('\\', '/'));
const built = (): string[] => globSync('**/*.html', { cwd: SITE }).map((page) => page.replaceAll('\\', '/'));
const htmlOf = (page: string): string => readFileSync(join(SITE, page), 'utf8');

describe('the built site', () => {
  it('has every page of docs/, and the table of contents leads to each', () => {
    const contents = readFileSync(join(root, 'docs/index.md'), 'utf8');
    for (const page of pages()) {
      expect(built()).toContain(page.replace(/\.md$/, '.html'));
      if (page !== 'index.md') expect(contents, page).toContain(`](${page})`);
    }
  });

  it('has no dead links: every address on a page is a page, a file or an API page of the jar, and every anchor is a heading', () => {
    const ids = new Map(
      built().map((page) => [page, new Set([...htmlOf(page).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))]),
    );
    const dead: string[] = [];
    for (const page of built()) {
      for (const [, address = ''] of htmlOf(page).matchAll(/\s(?:href|src)="([^"]*)"/g)) {
        const { origin, pathname, hash } = new URL(address.replaceAll('&amp;', '&'), `${ORIGIN}${BASE}${page}`);
        if (origin !== ORIGIN || /^\/_jar\/(docs\/(api|openapi)\b|openapi\.json)/.test(pathname)) continue;
        const anchor = hash.slice(1);
        const name = pathname.startsWith(BASE) ? pathname.slice(BASE.length) : undefined;
        const file =
          name === undefined
            ? undefined
            : [name || 'index.html', `${name}.html`].find((each) => existsSync(join(SITE, each)));
        const isThere =
          file !== undefined && (!anchor || !file.endsWith('.html') || ids.get(file)?.has(decodeURIComponent(anchor)));
        if (!isThere) dead.push(`${page}: ${address}`);
      }
    }
    expect([...new Set(dead)]).toEqual([]);
  });

  it('fetches nothing from elsewhere: no script, style, font or picture has a foreign address', () => {
    for (const page of built()) {
      const foreign = [...htmlOf(page).matchAll(/<(?:script|link|img)[^>]*\s(?:src|href)="((?:https?:)?\/\/[^"]*)"/g)];
      expect(
        foreign.map(([, address]) => address),
        page,
      ).toEqual([]);
    }
    const styles = globSync('assets/*.css', { cwd: SITE }).map((file) => readFileSync(join(SITE, file), 'utf8'));
    expect(styles.length).toBeGreaterThan(0);
    expect(styles.filter((style) => /@import|url\((?!["']?data:)["']?(https?:)?\/\//.test(style))).toEqual([]);
  });

  it('has the diagrams drawn, with ids that are unique on their page', () => {
    for (const page of pages()) {
      const blocks = readFileSync(join(root, 'docs', page), 'utf8').match(/^```mermaid$/gm)?.length ?? 0;
      const html = htmlOf(page.replace(/\.md$/, '.html'));
      expect(html.match(/<figure class="diagram"/g)?.length ?? 0, page).toBe(blocks);
      const ids = [...html.matchAll(/\sid="(diagram-[^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size, page).toBe(ids.length);
    }
  });
});

test('the jar serves the site: pages, files that are kept for good, a page for what does not exist, and nothing beside it', async () => {
  await using jar = await startJar();
  const get = (path: string) => fetch(`${jar.url}${path}`, { redirect: 'manual' });

  const moved = await get('/_jar/docs?theme=dark');
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/_jar/docs/?theme=dark']);

  const home = await get(BASE);
  expect(home.status).toBe(200);
  expect(home.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(home.headers.get('cache-control')).toBe('no-cache');
  expect(home.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self' 'sha256-/);
  const html = await home.text();
  expect(html).toContain('Cloudjar documentation');

  const script = /src="(\/_jar\/docs\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
  const asset = await get(script);
  expect([asset.status, asset.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');

  expect((await get(`${BASE}guides/testing`)).status).toBe(200);
  for (const path of ['nothing', '..%2f..%2fpackage.json', '%2e%2e/cli.js', '.stamp', 'assets', 'guides/testing/x']) {
    const missing = await get(`${BASE}${path}`);
    expect([path, missing.status]).toEqual([path, 404]);
  }
  const withSlash = await get(`${BASE}guides/testing/`);
  expect([withSlash.status, withSlash.headers.get('location')]).toEqual([301, `${BASE}guides/testing`]);
  // Pages and documents of the APIs stay below it, and the site leads to them.
  const linked = [...htmlOf('reference/openapi.html').matchAll(/href="(\/_jar\/docs\/(?:api|openapi)\/[^"]+)"/g)];
  expect(linked.length).toBeGreaterThan(20);
  for (const [, path = ''] of linked) expect([path, (await get(path)).status]).toEqual([path, 200]);
  expect(await (await get('/_jar/docs/api')).text()).toContain('API of Cloudjar');
});

test('a site that is built while the jar runs is found', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-site-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const site = openSite(join(folder, 'docs'));
  expect(await site.file('')).toBeUndefined();
  cpSync(SITE, join(folder, 'docs'), { recursive: true });
  expect(await site.file('')).toMatchObject({ status: 200 });
  rmSync(join(folder, 'docs/index.html'));
  expect(await site.file('')).toBeUndefined();
});

test('an OpenAPI document is there for download, for each API by its name', async () => {
  await using jar = await startJar();
  const answer = await fetch(`${jar.url}${BASE}openapi/events.json`);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="cloudjar-events.json"');
  const document = (await answer.json()) as { openapi: string; paths: object; servers: unknown };
  expect(document.openapi).toMatch(/^3\.1/);
  expect(Object.keys(document.paths).length).toBeGreaterThan(50);
  expect(document.servers).toEqual([{ url: jar.url }]);
  const unknown = await fetch(`${jar.url}${BASE}openapi/event.json`);
  expect(unknown.status).toBe(404);
  expect(await unknown.json()).toMatchObject({
    error: { code: 'UnknownApi', message: expect.stringContaining("did you mean 'events'") },
  });
});

test('a reader finds a page by search, sees its diagram, and everything comes from the jar', {
  timeout: BUILD_MS,
}, async ({ skip }) => {
  const found = await findChromium();
  if ('missing' in found) return skip(found.missing);
  await using jar = await startJar();
  const window = await privateWindow(found);
  const page = await window.newPage();
  onTestFinished(() => page.close());
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on(
    'request',
    (request) => !/^data:/.test(request.url()) && !request.url().startsWith(jar.url) && problems.push(request.url()),
  );

  await page.goto(`${jar.url}/_jar/docs`);
  await expect.poll(() => page.title()).toContain('Cloudjar');
  await page.getByRole('button', { name: 'Search' }).first().click();
  const box = page.getByRole('searchbox');
  await expect.poll(() => box.isVisible()).toBe(true);
  await box.fill('move the clock advance');
  const result = page.locator('#localsearch-list a').first();
  await expect.poll(() => result.isVisible()).toBe(true);
  await result.click();
  await expect.poll(() => page.url()).not.toBe(`${jar.url}/_jar/docs/`);

  await page.goto(`${jar.url}/_jar/docs/architecture`);
  await expect.poll(() => page.locator('figure.diagram svg').first().isVisible()).toBe(true);
  // Another page by the sidebar, without a new load, then to the pages of the API, which the jar makes itself.
  await page.locator('.VPSidebar').getByRole('link', { name: 'Command line', exact: true }).click();
  await expect.poll(() => page.url()).toBe(`${jar.url}/_jar/docs/reference/cli`);
  await page.locator('.VPNavBarMenu').getByRole('link', { name: 'API', exact: true }).click();
  await expect.poll(() => page.title()).toBe('API - Cloudjar');
  expect(problems).toEqual([]);
});
