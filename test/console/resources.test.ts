import { expect } from 'vitest';
import { consoleStory } from './console-window.ts';

const SUBSCRIPTION = '/subscriptions/10000000-0000-4000-8000-0000000000f1';
const GROUP = `${SUBSCRIPTION}/resourceGroups/shop`;
const HOSTILE = '<img src=x onerror=alert(1)>';
const TOPICS = 'api-version=2025-02-15';

consoleStory(
  'a group and a topic are created with the help of their schema, edited, locked and deleted',
  async ({ jar, page, open, accessible }) => {
    const token = await jar.token();
    const arm = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${jar.httpsUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
    };

    await open('resources');
    await page.getByText('There is no resource here yet').waitFor();
    await page.getByRole('row', { name: 'Cloudjar' }).waitFor();
    await accessible();

    await page.getByRole('button', { name: 'Create a resource group' }).click();
    await page.getByLabel('Name', { exact: true }).fill('shop');
    await accessible();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('row', { name: 'shop' }).waitFor();
    expect((await arm('GET', `${GROUP}?api-version=2021-04-01`)).body).toMatchObject({ location: 'westeurope' });

    // A resource by the form of its type: the mistake is at its field.
    await page.getByRole('button', { name: 'Create a resource', exact: true }).click();
    await page.getByRole('combobox', { name: 'Type' }).fill('EventGrid/topics');
    await page.getByRole('option', { name: 'Vendor.EventGrid/topics', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('t1');
    await page.getByRole('button', { name: /publicNetworkAccess/ }).click();
    await page.getByRole('option', { name: 'Disabled' }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText(/The topic name 't1' is not valid/).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await accessible();
    await page.getByLabel('Name', { exact: true }).fill('orders');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/\/topics\/orders/);
    await page.getByRole('heading', { name: 'orders' }).waitFor();
    await jar.settled();
    const topic = `${GROUP}/providers/Vendor.EventGrid/topics/orders?${TOPICS}`;
    const { body: made } = await arm('GET', topic);
    expect(made).toMatchObject({ properties: { publicNetworkAccess: 'Disabled' } });

    // What somebody else writes appears without a reload, as text.
    await arm('PUT', topic, { ...made, tags: { note: HOSTILE } });
    await page.getByText(`note: ${HOSTILE}`).waitFor();
    await accessible();

    await page.getByRole('tab', { name: 'Form' }).click();
    await page.getByRole('button', { name: /minimumTlsVersionAllowed/ }).click();
    await page.getByRole('option', { name: '1.2' }).click();
    await page.getByText('There are changes that are not saved').waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('There are changes that are not saved').waitFor({ state: 'detached' });
    await jar.settled();
    expect((await arm('GET', topic)).body).toMatchObject({ properties: { minimumTlsVersionAllowed: '1.2' } });

    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    await page.getByLabel('Document').fill('{"location":"westeurope",');
    await page.getByText(/JSON/).last().waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByLabel('Document').fill('{"location":"westeurope","tags":{"team":"blue"}}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit as JSON' }).waitFor();
    await page.getByRole('tab', { name: 'Summary' }).click();
    await page.getByText('team: blue').waitFor();

    // A lock refuses the deletion, and the activity says so.
    await page.getByRole('button', { name: 'Lock against deletion' }).click();
    await page.getByRole('cell', { name: 'CanNotDelete' }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alert').getByText('Delete orders?').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('tab', { name: 'Activity' }).click();
    await page.getByRole('cell', { name: /following scope\(s\) are locked/ }).waitFor();
    await accessible();
    await page.reload();
    await page.getByRole('cell', { name: /following scope\(s\) are locked/ }).waitFor();
    await page.getByRole('tab', { name: 'Summary' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No lock is here or below.').waitFor();

    // The tree and the list show it, and the deletion of the group is an operation.
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await page.getByRole('gridcell', { name: 'orders' }).waitFor();
    await page.getByLabel('Name, type or OData expression').fill('nothing of this name');
    await page.getByText('No resource matches the filter').waitFor();
    await page.getByLabel('Name, type or OData expression').fill("type eq 'Vendor.EventGrid/topics'");
    await page.getByRole('gridcell', { name: 'orders' }).waitFor();
    await page.getByRole('button', { name: 'Open the group' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Delete shop with 1 resource in it?').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('shop is being deleted.').waitFor();
    await page.getByRole('link', { name: /^Operations/ }).click();
    await page.getByRole('gridcell', { name: /resourceGroups\/delete/ }).click();
    await jar.settled();
    await page.getByText('It succeeded.').waitFor();
    await page.getByText('admin@vendor.example').last().waitFor();
    await accessible();
    await page.reload();
    await page.getByText('It succeeded.').waitFor();
    expect((await arm('GET', `${GROUP}?api-version=2021-04-01`)).status).toBe(404);
  },
  { expected: /status of 4\d\d/ },
);

consoleStory(
  'a reader sees the tree on a narrow screen, and is offered no changes',
  async ({ jar, page, open, accessible, control }) => {
    const token = await jar.token();
    await fetch(`${jar.httpsUrl}${GROUP}?api-version=2021-04-01`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"location":"westeurope"}',
    });
    const { value } = (await (await control('/_jar/resources/groups')).json()) as { value: { name: string }[] };
    expect(value.map(({ name }) => name)).toEqual(['shop']);
    await open('resources');
    await page.getByRole('button', { name: 'Choose a scope' }).click();
    await page.getByRole('row', { name: 'shop' }).click();
    await page.getByRole('button', { name: 'Open the group' }).click();
    await page.getByText('No lock is here or below.').waitFor();
    expect(await page.getByRole('button', { name: /Delete|Create|Lock|Edit/ }).count()).toBe(0);
    expect(await page.getByRole('tab', { name: 'Form' }).count()).toBe(0);
    await accessible();
  },
  { role: 'reader', size: { width: 360, height: 800 } },
);
