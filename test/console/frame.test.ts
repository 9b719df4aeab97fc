import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { askControl, assertAccessible, consoleStory, signedIn } from './console-window.ts';

const GROUPS = '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups';

consoleStory(
  'without a session the console says how to get one, and takes the admin key',
  async ({ page, jar, accessible }) => {
    await page.context().clearCookies();
    await page.goto(`${jar.httpsUrl}/console/deliveries`);
    await page.getByText('npx cloudjar open').waitFor();
    await accessible();
    await page.getByLabel('Or enter the admin key').fill(jar.adminKey);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(`${stored} ${page.url()}`).not.toContain(jar.adminKey);
    await page.getByRole('button', { name: 'End the session' }).click();
    await page.getByText('npx cloudjar open').waitFor();
    await page.reload();
    await page.getByText('npx cloudjar open').waitFor();
  },
  { expected: /status of 401/ },
);

consoleStory(
  'the frame is used by keyboard: pages, palette, theme, keys, and the way back',
  async ({ page, open, accessible }) => {
    await open('deliveries');
    await page.getByText('Nothing was sent yet').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('q');
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    expect(page.url()).toMatch(/\/console\/requests$/);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('textbox').fill('dead');
    await page.getByRole('option', { name: /Dead letters/ }).waitFor();
    await accessible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/console\/deliveries\?show=dead$/);
    await page.getByText('No delivery matches the filter').waitFor();

    const theme = () => page.locator('html').getAttribute('data-theme');
    const before = await theme();
    await page.keyboard.press('t');
    await expect.poll(theme).not.toBe(before);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Filter').waitFor();
    await accessible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('state eq');
    await page.getByText(/\$filter/).waitFor();
  },
  { expected: /status of 400/ },
);

consoleStory('what changes before the live stream begins is shown', async ({ page, open, control }) => {
  await page.route(
    '**/_jar/live',
    async (route) => {
      // Pages would have read their data by then.
      await setTimeout(1_000);
      await control('/_jar/snapshots/early', { method: 'PUT' });
      await route.continue();
    },
    { times: 1 },
  );
  await open('snapshots');
  await page.getByRole('row', { name: /early/ }).waitFor();
});

consoleStory(
  'pages are shown without a live stream, which is tried again',
  async ({ page, jar, open }) => {
    await page.route('**/_jar/live', (route) => route.abort());
    await open('deliveries');
    await page.getByText('Nothing was sent yet').waitFor();
    await page.getByRole('banner').getByText('live', { exact: true }).waitFor({ state: 'detached' });
    await page.unroute('**/_jar/live');
    await page.getByRole('banner').getByText('live', { exact: true }).waitFor();
    await fetch(`${jar.httpsUrl}/_jar/inbox/one`, { method: 'POST', body: 'hello' });
    await page
      .getByRole('contentinfo')
      .getByText(/POST \/_jar\/inbox\/one/)
      .waitFor();
  },
  { expected: /ERR_FAILED/ },
);

consoleStory(
  'the palette searches for any text, also for one that looks like an expression',
  async ({ page, open }) => {
    await open('overview');
    await page.keyboard.press('Control+k');
    const searched = page.getByRole('dialog').getByRole('textbox');
    for (const text of ['(', "o'brien", 'status eq', '%_\\"', '🙂', '20000000-0000-4000-8000-000000000011']) {
      await Promise.all([page.waitForResponse(/_jar\/users/), searched.fill(text)]);
    }
    await page.getByRole('option', { name: /Otto Other|other@other/ }).waitFor();
  },
);

consoleStory(
  'on a narrow screen the pages are in a menu',
  async ({ page, open, accessible }) => {
    await open('deliveries');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Pages' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'hidden' });
    await accessible();
    const isWider = await page.evaluate(() => {
      const { document, innerWidth } = globalThis as never as {
        document: { body: { scrollWidth: number } };
        innerWidth: number;
      };
      return document.body.scrollWidth > innerWidth;
    });
    expect(isWider).toBe(false);
  },
  { size: { width: 360, height: 640 } },
);

consoleStory(
  'two browsers see what happens, one moves the clock and resets the jar, and both go on',
  async ({ page, jar, open }) => {
    const other = await page.context().newPage();
    await signedIn(jar, other, 'reader');
    await other.getByText('read only').waitFor();
    await open('deliveries');
    for (const window of [page, other]) await window.getByText('live', { exact: true }).waitFor();
    const token = await jar.token();
    const group = await fetch(`${jar.httpsUrl}${GROUPS}/seen?api-version=2021-04-01`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"location":"westus"}',
    });
    expect(group.status).toBe(201);
    for (const window of [page, other]) {
      await window
        .getByRole('contentinfo')
        .getByText(/PUT .*resourceGroups\/seen/)
        .waitFor();
    }
    const clock = (window: typeof page) => window.getByTitle(/virtual clock/).getAttribute('title');
    const [before] = [await clock(page)];
    await askControl(jar, '/_jar/clock/advance', { method: 'POST', body: { by: '26h' } });
    for (const window of [page, other]) await expect.poll(() => clock(window)).not.toBe(before);
    await askControl(jar, '/_jar/reset', { method: 'POST' });
    for (const window of [page, other]) {
      await expect.poll(() => clock(window)).toBe(before);
      await window.getByText('live', { exact: true }).waitFor();
      await assertAccessible(window);
    }
  },
);
