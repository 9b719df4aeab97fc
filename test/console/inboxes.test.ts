import { expect } from 'vitest';
import { consoleStory, signedIn } from './console-window.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

consoleStory(
  'an inbox is made with one click, shows what arrives while it arrives, and fails and is slow as its switches say',
  async ({ jar, page, open, accessible, control }) => {
    await open('inboxes');
    await page.getByText('There is no inbox yet').waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Make an inbox' }).click();
    await page.waitForURL(/\/console\/inboxes\/inbox-1$/);
    await page.getByText('Nothing has arrived yet').waitFor();
    const address = `${jar.httpsUrl}/_jar/inbox/inbox-1`;
    await page.getByText(address, { exact: true }).waitFor();
    await accessible();

    // What arrives appears without a reload, and hostile text is text.
    const list = page.getByRole('grid', { name: 'Received requests' });
    const send = (path: string, body: string) =>
      fetch(`${address}${path}`, { method: 'POST', body, headers: { 'x-note': HOSTILE } });
    expect((await send('/orders?name=tea&sig=secret-signature', JSON.stringify({ name: HOSTILE }))).status).toBe(200);
    await list.getByRole('row', { name: /orders/ }).click();
    await page.waitForURL(/\/console\/inboxes\/inbox-1\/1$/);
    await page.getByText('The inbox answered 200.').waitFor();
    await page.getByRole('tabpanel').getByText(HOSTILE).waitFor();
    await accessible();
    await page.getByRole('tab', { name: 'Headers' }).click();
    await page.getByRole('cell', { name: HOSTILE }).waitFor();
    await page.getByRole('cell', { name: 'tea' }).waitFor();
    expect(await page.content()).not.toContain('secret-signature');
    await accessible();
    await page.reload();
    await page.getByRole('cell', { name: HOSTILE }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/console\/inboxes\/inbox-1$/);

    // The next two requests fail; the answers of the receiver are what the switches say.
    await page.getByRole('spinbutton', { name: 'Requests that fail' }).fill('2');
    await page.getByRole('switch', { name: 'Fail' }).click({ force: true });
    await page.getByText('2 of 2 left').waitFor();
    expect((await send('/late', 'one')).status).toBe(503);
    await page.getByText('1 of 2 left').waitFor();
    await page.getByRole('spinbutton', { name: 'Delay in milliseconds' }).fill('20');
    await page.getByRole('switch', { name: 'Slow' }).click({ force: true });
    await page.getByText('slow by 20 ms').waitFor();
    expect((await send('/late', 'two')).status).toBe(503);
    await page.getByText('fails', { exact: false }).first().waitFor({ state: 'hidden' });
    await page.getByRole('spinbutton', { name: 'Delay in milliseconds' }).fill('999999999');
    await page.keyboard.press('Enter');
    await page.getByText(/delayMs/).waitFor();
    await page.getByRole('switch', { name: 'Slow' }).click({ force: true });
    await page.getByText('slow by 20 ms').waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Other answer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Other answer' });
    await dialog.getByLabel('Status').fill('202');
    await dialog.getByLabel('Headers').fill('x-own: yes');
    await dialog.getByLabel('Body').fill('{"taken":true}');
    await accessible();
    await dialog.getByRole('button', { name: 'Answer with this' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const own = await send('/own', 'three');
    expect([own.status, own.headers.get('x-own'), await own.json()]).toEqual([202, 'yes', { taken: true }]);
    await list.getByRole('row', { name: /own.*202/ }).waitFor();

    // A handshake is refused, and the list can show handshakes only.
    await page.getByRole('button', { name: 'Answer handshakes Handshakes' }).click();
    await page.getByRole('option', { name: 'Refuse handshakes' }).click();
    await page.getByText('handshakes: refuse').waitFor();
    expect((await fetch(`${address}?validationToken=abc`, { method: 'POST' })).status).toBe(400);
    await page.getByRole('radio', { name: 'Handshakes' }).click();
    await list.getByRole('row', { name: /400/ }).click();
    await page.getByText('to which the inbox did not agree').waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('radio', { name: 'Handshakes' }).click();

    const reader = await page.context().newPage();
    await signedIn(jar, reader, 'reader');
    await reader.goto(`${jar.httpsUrl}/console/inboxes/inbox-1`);
    await reader.getByText('handshakes: refuse').waitFor();
    await reader.getByRole('row', { name: /own.*202/ }).waitFor();
    expect(await reader.getByRole('button', { name: /Clear|Delete|Send/ }).count()).toBe(0);
    await reader.close();
    await signedIn(jar, page, 'admin');
    await open('inboxes/inbox-1');

    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText('Remove 5 received requests?').waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText('Nothing has arrived yet').waitFor();
    await page.getByRole('button', { name: 'Send a test request' }).click();
    await list.getByRole('row', { name: /example/ }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('There is no inbox yet').waitFor();

    await page.getByRole('button', { name: 'With a name' }).click();
    await page.getByLabel('Name', { exact: true }).fill('no good');
    await page.getByRole('button', { name: 'Make', exact: true }).click();
    await page.getByText(/is not a valid name/).waitFor();
    await accessible();
    await page.getByLabel('Name', { exact: true }).fill('Orders');
    await page.getByRole('button', { name: 'Make', exact: true }).click();
    await page.waitForURL(/\/console\/inboxes\/orders$/);
    const { value } = (await (await control('/_jar/inbox')).json()) as { value: { name: string }[] };
    expect(value.map(({ name }) => name)).toEqual(['orders']);
  },
  // The browser reports the answers that the inbox was told to give, and the refused number and name.
  { expected: /status of (400|404|503)/ },
);
