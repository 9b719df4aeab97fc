import { expect } from 'vitest';
import { type ConsoleStory, consoleStory } from './console-window.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

consoleStory(
  'a record is found, edited and created, and its change is followed to the receivers',
  async (story) => {
    const { page, open, accessible, jar } = story;
    await open('business');
    await page.getByRole('link', { name: 'C00010' }).waitFor();
    await accessible();

    // Two subscriptions: one by the console, whose receiver accepts; one by a client, whose receiver refuses.
    await page.getByRole('button', { name: 'Subscribe a webhook' }).click();
    await page.getByLabel('Client state').fill('between us');
    await accessible();
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
    await page.getByText(/It is live, for 3 d more/).waitFor();
    await jar.clock.advance('1d');
    await page.getByText(/It is live, for 2 d more/).waitFor();
    await page.getByRole('button', { name: 'Renew' }).click();
    await page.getByText(/It is live, for 3 d more/).waitFor();
    await accessible();
    const company = await companyOf(story);
    await send(story, 'POST', '/api/v2.0/subscriptions', {
      notificationUrl: `${jar.httpsUrl}/_jar/inbox/refuses`,
      resource: `${company}/customers`,
    });
    await story.control('/_jar/inbox/refuses/behaviour', { method: 'PUT', body: { status: 400 } });

    // A query, first with a mistake.
    await open('business');
    const filter = page.getByLabel('$filter', { exact: true });
    await filter.fill('town eq 1');
    await filter.press('Enter');
    await page.getByText(/there is no property 'town'/).waitFor();
    await accessible();
    await filter.fill("displayName eq 'Hotel*'");
    await filter.press('Enter');
    await page.getByRole('link', { name: 'C00010' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'C00020' }).click();
    await page.waitForURL(/customers\/[0-9a-f-]{36}/);

    // Another client is faster: nothing of it is overwritten.
    const id = page.url().match(/customers\/([0-9a-f-]{36})/)?.[1];
    const city = page.getByLabel('City', { exact: true });
    await city.fill('Wels');
    await send(story, 'PATCH', `${company}/customers(${id})`, { website: 'https://new.example' }, { 'if-match': '*' });
    await page.getByText('Somebody has changed the record meanwhile.').waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Discard my changes' }).click();
    await page.getByLabel('Display name').fill(HOSTILE);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: HOSTILE }).waitFor();

    // The way of the change, before and after its window closes.
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByRole('link', { name: 'updated', exact: true }).first().click();
    const way = page.getByRole('list', { name: 'Way of the change' });
    await way.getByText('Watched by 2 subscriptions').waitFor();
    await way.getByText('In an open window').first().waitFor();
    await accessible();
    await jar.clock.advance('31s');
    await page.getByText('1 of 2 subscriptions not notified.').waitFor();
    await way.getByText('not notified', { exact: true }).waitFor();
    await accessible();
    await page.reload();
    await way.getByText('notified', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Removed subscriptions' }).click();
    await page.getByRole('row', { name: /refused/ }).waitFor();
    await accessible();

    // Created with a mistake at its field, then without it, and deleted.
    await open('business');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByLabel('Display name').fill('Coho Winery');
    await page.getByLabel('Currency id').fill('nothing');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText(/is not a GUID/).waitFor();
    await accessible();
    await page.getByLabel('Currency id').fill('');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Coho Winery' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The record was deleted.').waitFor();
    await page.getByText('30 rows').waitFor();
  },
  { expected: /status of 400/ },
);

async function companyOf(story: ConsoleStory): Promise<string> {
  const { value } = (await send(story, 'GET', '/api/v2.0/companies')) as { value: { id: string }[] };
  return `/api/v2.0/companies(${value[0]?.id})`;
}

async function send(
  { jar }: ConsoleStory,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const response = await fetch(jar.httpsUrl + path, {
    method,
    headers: { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.status, text).toBeLessThan(300);
  return text === '' ? undefined : JSON.parse(text);
}

consoleStory(
  'a reader sees records, and is offered no change',
  async ({ page, open, accessible }) => {
    await open('business');
    await page.getByRole('link', { name: 'C00010' }).click();
    await page.getByRole('heading', { name: 'Gasthof Seeblick' }).waitFor();
    await accessible();
    expect(await page.getByLabel('Display name').isEnabled()).toBe(false);
    expect(await page.getByRole('button', { name: /Save|Delete|Create|Subscribe/ }).count()).toBe(0);
    await open('business/windows');
    await page.getByText('No change waits to be sent').waitFor();
    await accessible();
  },
  { role: 'reader', size: { width: 360, height: 740 } },
);
