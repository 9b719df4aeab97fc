import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { TestJar } from '../../src/testing/index.ts';
import { type ConsoleStory, consoleStory, signedIn } from './console-window.ts';

const HOSTILE = 'no room for <img src=x onerror=alert(1)>';

consoleStory(
  'what is due is seen on a time line, an advance is previewed, and what it ran leads to what it did',
  async (story) => {
    const { jar, page, open, accessible } = story;
    await open('time');
    await page.getByRole('heading', { name: 'Nothing is due' }).waitFor();
    await accessible();

    // Work appears while the page is open.
    await notifyOfCustomers(jar);
    const due = page.getByRole('region', { name: 'Due next' });
    await due.getByRole('link', { name: 'Sends the entries of a window' }).waitFor();
    await page
      .getByRole('figure', { name: 'Due work' })
      .getByRole('listitem', { name: 'Deletes an expired' })
      .waitFor();

    await page.getByRole('radio', { name: '1 hour' }).click();
    await page.getByRole('heading', { name: /1 item is due in the next 1 h/ }).waitFor();
    await page
      .getByRole('region', { name: 'What will run' })
      .getByRole('cell', { name: 'Sends the entries of a window' })
      .waitFor();
    expect(page.url()).toMatch(/\/console\/time\?advance=1h$/);
    await accessible();

    const before = jar.clock.now().getTime();
    await page.getByRole('button', { name: 'Advance', exact: true }).click();
    const ran = page.getByRole('region', { name: 'What ran' });
    await ran.getByRole('cell', { name: 'Sends the entries of a window' }).waitFor();
    expect(jar.clock.now().getTime()).toBe(before + 3_600_000);
    await accessible();
    await ran
      .getByRole('link', { name: /inbox\/customers$/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    await page
      .getByRole('row', { name: /customers.*delivered/ })
      .first()
      .waitFor();
    await page.goBack();
    await ran.waitFor();

    await page.getByRole('link', { name: /^Due work/ }).click();
    await page.getByRole('row', { name: /Deletes an expired webhook subscription/ }).click();
    await page.waitForURL(/\/console\/time\/work\/business\.expire/);
    await page.getByText('It waits for its due time.').waitFor();
    await accessible();
    await page.reload();
    await page.getByRole('link', { name: 'Advance to it' }).click();
    await page.getByRole('heading', { name: /items? (is|are) due in the next 2 d 23 h/ }).waitFor();

    const other = page.getByRole('textbox', { name: 'Or a duration or time' });
    await other.fill('soon');
    await page.getByText(/'soon'/).waitFor();
    await accessible();
  },
  { expected: /status of 400/ },
);

consoleStory(
  'parked work is found with its reason, and retried; a reader sees it and changes nothing',
  async (story) => {
    const { jar, page, open, accessible } = story;
    await open('time');
    await page.getByRole('heading', { name: 'Nothing is due' }).waitFor();
    await notifyOfCustomers(jar);
    await parkAnItem(story);
    await page.getByRole('link', { name: 'Given up after failures' }).click();
    await page.getByRole('row', { name: /parked/ }).click();
    await page.getByText(HOSTILE).first().waitFor();
    await accessible();

    const reader = await page.context().newPage();
    const address = page.url();
    await signedIn(jar, reader, 'reader');
    await reader.goto(address);
    await reader.getByText(HOSTILE).first().waitFor();
    expect(await reader.getByRole('button', { name: 'Retry' }).count()).toBe(0);
    await reader.goto(`${jar.httpsUrl}/console/time?advance=1d`);
    await reader.getByRole('heading', { name: /in the next 1 d/ }).waitFor();
    expect(await reader.getByRole('button', { name: 'Advance', exact: true }).count()).toBe(0);
    await reader.context().clearCookies();
    await signedIn(jar, page, 'admin');
    await page.goto(address);

    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('There is no such item any more.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('No work is parked').waitFor();
    await accessible();
  },
  { expected: /status of 40[14]/ },
);

/** An inbox is notified of changed customers: a notification is due after a window, and the subscription expires in three days. */
async function notifyOfCustomers(jar: TestJar): Promise<void> {
  const token = await jar.token();
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${jar.httpsUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(response.ok, path).toBe(true);
    return response.json();
  };
  const { value } = (await call('GET', '/api/v2.0/companies')) as { value: { id: string }[] };
  const resource = `/api/v2.0/companies(${value[0]?.id})/customers`;
  const notificationUrl = jar.inbox('customers').httpsUrl;
  await call('POST', '/api/v2.0/subscriptions', { notificationUrl, resource });
  await call('POST', resource, { displayName: 'Tea' });
}

/** As if work had failed ten times: the state of the jar, with one item parked, is restored from a file. */
async function parkAnItem({ jar, control }: ConsoleStory): Promise<void> {
  await control('/_jar/snapshots/before', { method: 'PUT' });
  const file = Buffer.from(await (await control('/_jar/snapshots/before/content')).arrayBuffer());
  const [head = '', ...lines] = gunzipSync(file).toString().trim().split('\n');
  const content = lines.slice(0, -1).map((line) => {
    if (!line.startsWith('["w"') || !line.includes('business.notify')) return line;
    const [, item] = JSON.parse(line) as [string, object];
    return JSON.stringify(['w', { ...item, attempts: 10, state: 2, reason: HOSTILE }]);
  });
  const sha256 = createHash('sha256')
    .update(`${content.join('\n')}\n`)
    .digest('hex');
  const text = [head, ...content, JSON.stringify({ end: true, sha256 }), ''].join('\n');
  const imported = await fetch(`${jar.httpsUrl}/_jar/snapshots/parked/content`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${jar.adminKey}`, 'content-type': 'application/gzip' },
    body: gzipSync(text),
  });
  expect(await imported.text()).toContain('"parked"');
  expect((await control('/_jar/snapshots/parked/restore', { method: 'POST' })).status).toBe(200);
}
