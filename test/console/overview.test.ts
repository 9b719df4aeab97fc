import { expect } from 'vitest';
import { consoleStory } from './console-window.ts';

const SUBSCRIPTION = '/subscriptions/10000000-0000-4000-8000-0000000000f1';
const VERSION = 'api-version=2021-04-01';

consoleStory(
  'the overview teaches an empty jar, then shows what it does, what failed, and what is used up',
  async ({ jar, page, open, accessible, control }) => {
    await open('');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await page.getByText('Nothing has failed.').waitFor();
    for (const name of ['Get a token', 'Create a resource', 'Send something to a webhook inbox'])
      await page.getByRole('button', { name: `Copy: ${name}` }).waitFor();
    await accessible();

    const token = await jar.token();
    const ask = (path: string, method = 'GET', body?: object) =>
      fetch(`${jar.httpsUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    await ask(`${SUBSCRIPTION}/resourceGroups/shop?${VERSION}`, 'PUT', { location: 'westus' });
    for (let n = 0; n < 3; n++) await ask(`${SUBSCRIPTION}/resourceGroups/missing?${VERSION}`);
    // Everything follows without a reload.
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' });
    const services = page.getByRole('region', { name: 'Services' });
    const resources = services.getByRole('row', { name: /Subscriptions and resource groups/ });
    await resources.getByRole('link', { name: '4', exact: true }).waitFor();
    await resources.getByRole('link', { name: '3', exact: true }).waitFor();
    await page.getByRole('link', { name: /GET .*missing.*×3/ }).waitFor();
    await page.getByRole('figure', { name: 'Latency' }).getByText('p95').waitFor();
    await accessible();

    // A limit that is nearly used up comes first.
    await control('/_jar/limits', { method: 'PATCH', body: { name: 'management.resource-groups', limit: 1 } });
    await page.getByRole('meter', { name: 'Resource groups in a subscription' }).waitFor();
    await page.getByRole('meter').first().getByText('1 of 1', { exact: true }).waitFor();
    await accessible();

    // Each number leads to what explains it, and the way back shows the same.
    await page.getByRole('link', { name: /GET .*missing.*×3/ }).click();
    await page.getByText(/Refused with 404, ResourceGroupNotFound/).waitFor();
    await page.goBack();
    await resources.getByRole('link', { name: '3', exact: true }).click();
    await page.waitForURL(/\/console\/requests\?/);
    await page
      .getByRole('row', { name: /missing/ })
      .first()
      .waitFor();
    expect(await page.getByRole('row', { name: /shop/ }).count()).toBe(0);
    await page.goBack();
    await page.getByRole('button', { name: /Period/ }).click();
    await page.getByRole('option', { name: 'Last hour' }).click();
    await page.waitForURL(/minutes=60/);
    await page.reload();
    await page.getByRole('button', { name: /Last hour/ }).waitFor();
    await resources.getByRole('link', { name: '4', exact: true }).waitFor();

    // A reset forgets no requests, because they are of the process, but the limit is as it was.
    await control('/_jar/reset', { method: 'POST' });
    await page.getByText('1 of 1', { exact: true }).waitFor({ state: 'detached' });
  },
);

consoleStory(
  'failing deliveries and due work are on the overview of a reader, on a narrow screen',
  async ({ jar, page, open, accessible, control }) => {
    await control('/_jar/inbox/broken/behaviour', { method: 'PUT', body: { status: 503 } });
    const token = await jar.token();
    const arm = async (path: string, body?: object): Promise<unknown> => {
      const answer = await fetch(`${jar.httpsUrl}${SUBSCRIPTION}/resourceGroups/shop${path}`, {
        method: body === undefined ? 'GET' : path.includes('listKeys') ? 'POST' : 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      expect(answer.ok, path).toBe(true);
      return answer.json();
    };
    const topic = '/providers/Vendor.EventGrid/topics/orders';
    await arm(`?${VERSION}`, { location: 'westus' });
    await arm(`${topic}?api-version=2022-06-15`, { location: 'westus' });
    await jar.settled();
    const { properties } = (await arm(`${topic}?api-version=2022-06-15`)) as { properties: { endpoint: string } };
    const destination = {
      endpointType: 'WebHook',
      properties: { endpointUrl: `${jar.httpsUrl}/_jar/inbox/broken` },
    };
    await arm(`${topic}/providers/Vendor.EventGrid/eventSubscriptions/broken?api-version=2022-06-15`, {
      properties: { destination },
    });
    await jar.settled();
    const { key1 } = (await arm(`${topic}/listKeys?api-version=2022-06-15`, {})) as { key1: string };
    const event = { id: '1', eventType: 'Sold', subject: '1', eventTime: '2026-01-01T00:00:00Z', dataVersion: '1' };
    await fetch(`${jar.httpsUrl}${new URL(properties.endpoint).pathname}?api-version=2018-01-01`, {
      method: 'POST',
      headers: { 'aeg-sas-key': key1, 'content-type': 'application/json' },
      body: JSON.stringify([{ ...event, data: {} }]),
    });
    await jar.settled();
    await open('overview');
    await page.getByRole('link', { name: '1 destination failing' }).waitFor();
    await page.getByRole('link', { name: /Delivers messages/ }).waitFor();
    await accessible();
    await page
      .getByRole('link', { name: /POST .*inbox\/broken/ })
      .first()
      .click();
    await page.getByText(/It has not arrived yet/).waitFor();
  },
  { role: 'reader', size: { width: 360, height: 640 } },
);
