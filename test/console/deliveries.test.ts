import { expect } from 'vitest';
import { type ConsoleStory, consoleStory } from './console-window.ts';

const GROUP = '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/shop';
const TOPIC = `${GROUP}/providers/Vendor.EventGrid/topics/orders`;
const EVENTS = 'api-version=2022-06-15';
const GROUPS = 'api-version=2021-04-01';
const HOSTILE = '<img src=x onerror=alert(1)>';

/** One event to two receivers: one is out of order, and one refuses it. */
async function deliverToTwo({ jar, control }: ConsoleStory): Promise<void> {
  const token = await jar.token();
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  const ask = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await fetch(`${jar.httpsUrl}${path}?${path === GROUP ? GROUPS : EVENTS}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(answer.ok, path).toBe(true);
    return answer.json();
  };
  await ask('PUT', GROUP, { location: 'westus' });
  await ask('PUT', TOPIC, { location: 'westus' });
  await jar.settled();
  for (const [name, status] of Object.entries({ broken: 503, strict: 400 })) {
    const properties = { endpointUrl: `${jar.httpsUrl}/_jar/inbox/${name}` };
    const destination = { endpointType: 'WebHook', properties };
    await ask('PUT', `${TOPIC}/providers/Vendor.EventGrid/eventSubscriptions/${name}`, { properties: { destination } });
    await jar.settled();
    await control(`/_jar/inbox/${name}/behaviour`, { method: 'PUT', body: { status } });
  }
  const { key1 } = await ask('POST', `${TOPIC}/listKeys`);
  const { properties } = await ask('GET', TOPIC);
  const event = { id: 'e1', eventType: HOSTILE, subject: HOSTILE, eventTime: '2026-01-01T00:00:00Z', dataVersion: '1' };
  const published = await fetch(`${jar.httpsUrl}${new URL(properties.endpoint).pathname}?api-version=2018-01-01`, {
    method: 'POST',
    headers: { 'aeg-sas-key': key1, 'content-type': 'application/json' },
    body: JSON.stringify([{ ...event, data: { note: HOSTILE } }]),
  });
  expect(published.status).toBe(200);
  await jar.settled();
}

consoleStory(
  'deliveries appear with the reason why they have not arrived, and are sent again, one and all that match',
  async (story) => {
    const { page, open, accessible, control } = story;
    await open('deliveries');
    await page.getByText('Nothing was sent yet').waitFor();
    await deliverToTwo(story);
    const list = page.getByRole('grid', { name: 'Deliveries' });
    // The first ones move in at once; how many later ones wait above them depends on how quick the jar was.
    await list.getByRole('row').nth(1).waitFor();
    await page.reload();
    await list.getByRole('row', { name: /dropped 400/ }).waitFor();
    await list.getByRole('row', { name: /queued 503/ }).click();
    await page.waitForURL(/\/console\/deliveries\/[^/?]+$/);
    await page.getByText('It has not arrived yet: the receiver answered 503.').waitFor();
    await page.getByRole('heading', { level: 2, name: `${HOSTILE} e1` }).waitFor();
    await accessible();

    await page.getByRole('tab', { name: 'Attempts (1)' }).click();
    await page.getByText('503: retried by policy events.webhook').waitFor();
    await accessible();
    await page.getByRole('tab', { name: 'Message' }).click();
    await page.getByRole('heading', { name: /^Body, / }).waitFor();
    expect(await page.getByRole('tabpanel').textContent()).toContain(`"note": "${HOSTILE}"`);
    await accessible();
    await page.reload();
    await page.getByRole('heading', { name: /^Body, / }).waitFor();
    await page.getByRole('tab', { name: 'Summary' }).click();

    // The receivers work again.
    for (const name of ['broken', 'strict'])
      await control(`/_jar/inbox/${name}/behaviour`, { method: 'PUT', body: { status: 200 } });
    await page.keyboard.press('r');
    await page.getByText('It arrived, with attempt 2.').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/console\/deliveries$/);

    await page.getByRole('radio', { name: 'Dropped' }).click();
    await page.getByText('1 row', { exact: true }).waitFor();
    await list.getByRole('row', { name: /dropped 400/ }).click();
    await page.getByText('It was given up: the receiver answered 400.').waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Send all again' }).click();
    await page.getByText('Send all deliveries that match the filter again?').waitFor();
    await page.getByRole('button', { name: 'Send all again' }).click();
    await page.getByText('1 delivery sent again.').waitFor();
    await page.getByText('It arrived, with attempt 2.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('radio', { name: 'Delivered' }).click();
    await page.getByText('4 rows').waitFor();

    // An expression, and a mistake in one.
    await page.getByRole('searchbox').fill('attempts eq 2');
    await page.getByText(/there is no property/).waitFor();
    await page.getByRole('searchbox').fill("contains(subject,' e1') and status eq 200");
    await page.getByText('2 rows').waitFor();
    await page.getByRole('button', { name: 'Remove matching' }).click();
    await page.getByRole('button', { name: 'Remove matching' }).click();
    await page.getByText('2 deliveries removed.').waitFor();
    await page.getByText('No delivery matches the filter').waitFor();
  },
  { expected: /status of 400/ },
);

consoleStory(
  'a reader sees why a delivery has not arrived, and sends nothing',
  async (story) => {
    const { page, open, accessible } = story;
    await deliverToTwo(story);
    await open('deliveries?show=failing');
    await page.getByRole('row', { name: /queued/ }).click();
    await page.getByText('It has not arrived yet: the receiver answered 503.').waitFor();
    expect(await page.getByRole('button', { name: /Send|Remove/ }).count()).toBe(0);
    await accessible();
  },
  { role: 'reader', size: { width: 360, height: 640 } },
);
