import { expect } from 'vitest';
import { consoleStory } from './console-window.ts';

const LIST = '/subscriptions?api-version=2022-12-01';
const HOSTILE = '/x/<img src=x onerror=alert(1)>*';

consoleStory(
  'a client is throttled on purpose: the rule is made, strikes, is switched off, changed and removed',
  async ({ jar, page, open, accessible, control }) => {
    const token = await jar.token();
    const ask = async () =>
      (await fetch(jar.httpsUrl + LIST, { headers: { authorization: `Bearer ${token}` } })).status;
    await open('faults');
    await page.getByText('Nothing fails on purpose').waitFor();
    await accessible();

    // Made by the form, from a preset and an operation of the service.
    await page.getByRole('button', { name: 'Add a fault' }).click();
    await page.waitForURL(/\/console\/faults\/new$/);
    await page.getByRole('radio', { name: 'Throttle' }).waitFor();
    await page.getByRole('button', { name: /Any Service/ }).click();
    await page.getByRole('option', { name: 'Subscriptions and resource groups' }).click();
    await page.getByRole('combobox', { name: 'Operation' }).fill('get /subscriptions');
    await page.getByRole('option', { name: 'GET /subscriptions', exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByLabel('Path', { exact: true }).inputValue()).toBe('/subscriptions');
    await page.getByLabel('Status', { exact: true }).fill('99');
    await page.getByRole('button', { name: 'Add the rule' }).click();
    await page.getByText(/effect\.status/).waitFor();
    await accessible();
    await page.getByLabel('Status', { exact: true }).fill('429');
    await page.getByLabel('At most so many times').fill('2');
    const json = JSON.parse(await page.getByLabel('The rule as JSON').inputValue());
    expect(json).toMatchObject({
      match: { service: 'resources', method: 'GET', path: '/subscriptions' },
      effect: { status: 429, headers: { 'retry-after': '5' } },
      count: 2,
    });
    await page.getByRole('button', { name: 'Add the rule' }).click();
    await page.waitForURL(/\/console\/faults\/[a-z0-9]{6,}$/);
    await page.getByText('It is armed, and struck nothing so far.').waitFor();
    const { value } = (await (await control('/_jar/faults')).json()) as { value: { id: string }[] };
    expect(page.url()).toContain(value[0]?.id);

    // It strikes, and the page follows without a reload.
    expect(await ask()).toBe(429);
    await page.getByText('It is armed, and struck 1 request.').waitFor();
    const rule = page.getByRole('region', { name: 'Fault rule' });
    await rule.getByText('Enabled', { exact: true }).click();
    await page.getByText('It is disabled: it neither counts nor acts.').waitFor();
    expect(await ask()).toBe(200);
    await rule.getByText('Enabled', { exact: true }).click();
    await page.getByText('It is armed, and struck 1 request.').waitFor();
    expect(await ask()).toBe(429);
    await page.getByText(/It is used up: it struck 2 requests/).waitFor();
    expect(await ask()).toBe(200);
    await accessible();

    // Hits lead to the requests they struck.
    await page.getByRole('tab', { name: 'Struck (2)' }).click();
    const struck = page.getByRole('region', { name: 'Requests that the rule struck' });
    await expect.poll(() => struck.getByRole('link', { name: /GET \/subscriptions/ }).count()).toBe(2);
    await accessible();
    await page.reload();
    await expect.poll(() => struck.getByRole('link', { name: /GET \/subscriptions/ }).count()).toBe(2);
    const all = await page.getByRole('link', { name: 'All of them in the requests' }).getAttribute('href');
    expect(decodeURIComponent(all ?? '').replaceAll('+', ' ')).toContain(`fault eq '${value[0]?.id}'`);

    await page.getByRole('button', { name: 'Count anew' }).click();
    await page.getByRole('tab', { name: 'Struck (0)' }).waitFor();

    // Changed as JSON; the form shows the same.
    await page.getByRole('tab', { name: 'Edit' }).click();
    const changed = { match: { path: HOSTILE }, effect: { drop: true }, every: 3 };
    await page.getByLabel('The rule as JSON').fill('{"effect"');
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByLabel('The rule as JSON').fill(JSON.stringify(changed));
    await page.getByRole('button', { name: /Cut the connection.* Effect/ }).waitFor();
    expect(await page.getByLabel('Every nth', { exact: true }).inputValue()).toBe('3');
    await accessible();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It is armed, and struck nothing so far.').waitFor();
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    expect(await (await control(`/_jar/faults/${value[0]?.id}`)).json()).toMatchObject({ ...changed, hits: 0 });

    // Lists filter by the API, and the address keeps the filter.
    await page.getByRole('radio', { name: 'Disabled' }).click();
    await page.getByText('No fault rule matches the filter').waitFor();
    await page.getByRole('radio', { name: 'Armed' }).click();
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'cuts the connection' }).waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Remove this rule with its counts?').waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No fault rule matches the filter').waitFor();
    await page.goBack();
  },
  { expected: /status of 4\d\d/ },
);

consoleStory(
  'a reader sees the rules, and changes none',
  async ({ jar, page, open, accessible }) => {
    await jar.faults.add({ match: { path: HOSTILE }, effect: { latencyMs: 3000 }, share: 0.5 });
    await open('faults');
    await page.getByRole('row').filter({ hasText: HOSTILE }).click();
    await page.getByText('It is armed, and struck nothing so far.').waitFor();
    await accessible();
    expect(await page.getByRole('button', { name: /Add a fault|Remove|Count anew/ }).count()).toBe(0);
    expect(await page.getByRole('tab', { name: 'Edit' }).count()).toBe(0);
    for (const each of await page.getByRole('switch').all()) expect(await each.isDisabled()).toBe(true);
    await open('faults/new');
    await page.getByText('This session may only read.').waitFor();
  },
  { role: 'reader' },
);
