import { expect } from 'vitest';
import { SUBSCRIPTION } from '../support/jars.ts';
import { type ConsoleStory, consoleStory } from './console-window.ts';

const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/events`;
const TOPIC = `${GROUP}/providers/Vendor.EventGrid/topics/orders`;
const HOSTILE = '<img src=x onerror=alert(1)>';

/** The browser reports the refused event as an error. */
const EXPECTED = { expected: /status of 400/ };

consoleStory(
  'an event is followed from its publisher to receivers, filters and dead ends',
  async (story) => {
    const { page, open, accessible, jar } = story;
    await open('events');
    await page.getByText('No event was published yet').waitFor();
    await accessible();

    // A topic, in a group that does not exist yet.
    await page.getByRole('button', { name: 'Create a topic' }).click();
    await page.getByLabel('Name', { exact: true }).fill('orders');
    await accessible();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/\/events\/topics\//);
    await page.getByText('Nobody subscribes to it').waitFor();
    await jar.settled();

    // A subscription whose receiver fails, by the console; one whose filter does not match, by a client.
    await story.control('/_jar/inbox/billing/behaviour', { method: 'PUT', body: { status: 400 } });
    await page.getByRole('button', { name: 'Subscribe to it' }).click();
    await page.getByLabel('Name', { exact: true }).fill('shipping');
    await page.getByLabel('Subject begins with').fill('/orders/');
    await page.getByRole('button', { name: 'Subscribe', exact: true }).last().click();
    await page.getByText('It is in force').waitFor();
    await accessible();
    await subscribe(story, 'green', {
      advancedFilters: [{ operatorType: 'StringIn', key: 'data.color', values: ['green'] }],
    });
    await page.getByRole('button', { name: '1 new' }).click();
    await page.getByRole('row', { name: /green/ }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'green', exact: true }).waitFor();

    // A test event, whose example matches.
    await page.getByRole('button', { name: 'Publish to it' }).click();
    const body = page.getByLabel(/Event, in the schema EventGridSchema/);
    const example = JSON.parse(await body.inputValue());
    expect(example).toMatchObject({ eventType: 'Shop.OrderPlaced', subject: '/orders/1' });
    await body.fill(JSON.stringify({ ...example, subject: undefined }));
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText("'[0].subject' is required").waitFor();
    await accessible();
    await body.fill(JSON.stringify({ ...example, subject: `/orders/${HOSTILE}` }));
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.waitForURL(/\/events\/traces\//);
    const way = page.getByRole('list', { name: 'Way of the event' });
    await way.getByText('Compared with the filters of 2 subscriptions: 1 matched').waitFor();
    await way.getByText(/data\.color is 'red'.*'green'/).waitFor();
    await way.getByRole('link', { name: 'Delivered' }).waitFor();
    await page.getByText('It arrived.', { exact: true }).waitFor();
    await page.getByRole('definition').filter({ hasText: HOSTILE }).waitFor();
    await accessible();
    expect(
      (await jar.inbox('shipping').requests()).some(({ body: sent }) => JSON.stringify(sent).includes(HOSTILE)),
    ).toBe(true);

    // A delivery that is given up.
    await subscribe(story, 'billing', {});
    await publish(story, { id: 'second', subject: '/parcels/1' });
    await open('events');
    await page.getByRole('link', { name: 'Shop.Paid' }).click();
    await page.getByText('Delivered to 0 of 1 subscription, 1 dropped.').waitFor();
    await accessible();
    await page.reload();
    await way.getByText('Attempt 1').waitFor();
    await way.getByRole('link', { name: 'Dropped' }).click();
    await page.waitForURL(/\/console\/deliveries\//);
  },
  EXPECTED,
);

/** With the token of a client, over the management API. */
async function subscribe(story: ConsoleStory, name: string, filter: object): Promise<void> {
  const endpointUrl = `${story.jar.httpsUrl}/_jar/inbox/${name}`;
  const properties = { destination: { endpointType: 'WebHook', properties: { endpointUrl } }, filter };
  const path = `${TOPIC}/providers/Vendor.EventGrid/eventSubscriptions/${name}?api-version=2025-02-15`;
  await send(story, path, 'PUT', { properties });
  await story.jar.settled();
}

const publish = (story: ConsoleStory, further: object): Promise<void> =>
  send(story, '/events/westus/orders/api/events', 'POST', [
    { eventType: 'Shop.Paid', eventTime: '2030-01-01T00:00:00Z', dataVersion: '1', data: {}, ...further },
  ]);

async function send({ jar }: ConsoleStory, path: string, method: string, body: unknown): Promise<void> {
  const response = await fetch(jar.httpsUrl + path, {
    method,
    headers: { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.text()).toBeLessThan(300);
}

consoleStory(
  'a reader sees topics, subscriptions and events, and is offered no change',
  async ({ page, open, accessible, jar }) => {
    const token = await jar.token();
    const put = (path: string, body: object) =>
      fetch(jar.httpsUrl + path, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await put(`${GROUP}?api-version=2021-04-01`, { location: 'westus' });
    await put(`${TOPIC}?api-version=2025-02-15`, { location: 'westus' });
    await open('events/topics');
    await page.getByRole('link', { name: 'orders' }).click();
    await page.getByText('Nobody subscribes to it').waitFor();
    expect(await page.getByRole('button', { name: /Publish|Delete|Create|Subscribe/ }).count()).toBe(0);
    await accessible();
    await open('events/subscriptions');
    await page.getByText('There is no event subscription yet').waitFor();
    await open('events/queues');
    await page.getByText('There is no queue yet').waitFor();
    await accessible();
  },
  { role: 'reader', size: { width: 360, height: 740 } },
);
