import { expect } from 'vitest';
import { consoleStory } from './console-window.ts';

const SUBSCRIPTION = '10000000-0000-4000-8000-0000000000f1';
const GROUPS = `/subscriptions/${SUBSCRIPTION}/resourceGroups`;
const V = 'api-version=2021-04-01';

consoleStory(
  'a limit is lowered until a client meets it: who presses, what was refused, and who came back too early',
  async ({ jar, page, open, accessible, control }) => {
    const headers = { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json' };
    const read = async () => (await fetch(`${jar.httpsUrl}${GROUPS}?${V}`, { headers })).status;
    const create = async (name: string) =>
      (await fetch(`${jar.httpsUrl}${GROUPS}/${name}?${V}`, { method: 'PUT', headers, body: '{"location":"eastus"}' }))
        .status;
    await open('limits?show=used');
    expect(await create('one')).toBe(201);
    // It appears by itself, and is opened.
    await page.getByRole('row').filter({ hasText: 'Resource groups in a subscription' }).waitFor();
    await accessible();
    await page.getByRole('row').filter({ hasText: 'Resource groups in a subscription' }).click();
    await page.waitForURL(/\/console\/limits\/management\.resource-groups\?show=used$/);
    await page.getByText('It refused nothing, and has room.').waitFor();
    await page
      .getByRole('region', { name: /^Use of/ })
      .getByText('1 of 980')
      .waitFor();
    await accessible();

    // Lowered for everyone, by the form.
    await page.getByRole('button', { name: 'Lower or raise' }).click();
    await page.getByRole('spinbutton', { name: 'Limit' }).fill('-1');
    await page.getByRole('button', { name: 'Change for everyone' }).click();
    await page.getByText(/'limit'/).waitFor();
    await accessible();
    await page.getByRole('spinbutton', { name: 'Limit' }).fill('1');
    await page.getByRole('button', { name: 'Change for everyone' }).click();
    await page.getByText('The limit was changed for everyone.').waitFor();
    expect(await create('two')).toBe(409);
    await page.getByRole('tab', { name: 'Summary' }).click();
    await page.getByText(/It refused 1 request since/).waitFor();
    await page
      .getByRole('region', { name: /^Use of/ })
      .getByText('1 of 1', { exact: true })
      .waitFor();
    await accessible();

    // Raised again for one scope only, from the table of its use.
    await page.getByRole('button', { name: /^Change for subscription/ }).click();
    expect(await page.getByLabel('subscription', { exact: true }).inputValue()).toBe(SUBSCRIPTION);
    await page.getByRole('spinbutton', { name: 'Limit' }).fill('2');
    await page.getByRole('button', { name: 'Change for this scope' }).click();
    await page.getByRole('button', { name: 'Back to the default' }).waitFor();
    expect(await create('two')).toBe(201);
    await page.getByRole('tab', { name: 'Summary' }).click();
    const overrides = page.getByRole('region', { name: 'Overrides' });
    await expect.poll(() => overrides.getByRole('row').count()).toBe(3);

    // In shadow mode it counts and refuses nothing.
    await page.getByRole('button', { name: 'Shadow', exact: true }).click();
    await page.getByRole('button', { name: 'Enforce', exact: true }).waitFor();
    expect(await create('three')).toBe(201);
    await page.getByText(/1 more in shadow mode/).waitFor();
    for (const rows of [2, 0]) {
      await overrides.getByRole('button', { name: 'Remove' }).first().click();
      await overrides.getByRole('button', { name: 'Remove' }).first().click();
      await expect.poll(() => overrides.getByRole('row').count()).toBe(rows);
    }
    await page.reload();
    await page
      .getByRole('region', { name: /^Use of/ })
      .getByText('3 of 980')
      .waitFor();

    // A client that does not wait is named.
    const reads = { name: 'management.reads', size: 1, refillPerSecond: 0.1, mode: 'enforced' };
    expect((await control('/_jar/limits', { method: 'PATCH', body: reads })).status).toBe(200);
    await open('limits/management.reads?tab=early');
    expect([await read(), await read(), await read()]).toEqual([200, 429, 429]);
    await page.getByRole('tab', { name: 'Early retries (1)' }).waitFor();
    const early = page.getByRole('region', { name: 'Early retries' });
    await early.getByRole('link', { name: 'admin@vendor.example' }).waitFor();
    await accessible();

    // The fullest first; filters are in the address.
    await open('limits');
    const first = page.getByRole('row').nth(1);
    await expect.poll(() => first.textContent()).toContain('Management reads of one caller');
    await page.getByRole('radio', { name: 'Early retries' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByRole('radio', { name: 'Changed' }).click();
    await page.getByRole('button', { name: /Service$/ }).click();
    await page.getByRole('option', { name: 'Translator' }).click();
    await page.getByText('No limit matches the filter').waitFor();
    await page.reload();
    await page.getByText('No limit matches the filter').waitFor();
    await accessible();
  },
  { expected: /status of 400/ },
);

consoleStory(
  'a reader sees limits and their use, and changes none',
  async ({ jar, page, open, accessible }) => {
    await fetch(`${jar.httpsUrl}${GROUPS}?${V}`, { headers: { authorization: `Bearer ${await jar.token()}` } });
    await open('limits/management.reads');
    await page.getByText('Management reads of one caller').first().waitFor();
    await page
      .getByRole('region', { name: /^Use of/ })
      .getByText(/^1 of/)
      .waitFor();
    expect(await page.getByRole('button', { name: /Shadow|Enforce|Lower|^Change/ }).count()).toBe(0);
    expect(await page.getByRole('tab', { name: 'Change' }).count()).toBe(0);
    await accessible();
  },
  { role: 'reader', size: { width: 360, height: 740 } },
);
