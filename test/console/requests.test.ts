import { expect } from 'vitest';
import { consoleStory } from './console-window.ts';

const GROUPS = '/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups';
const HOSTILE = '<img src=x onerror=alert(1)>';

consoleStory(
  'requests appear while they happen; one is read, copied, filtered for, and sent again',
  async ({ jar, page, open, accessible, control }) => {
    const token = await jar.token();
    const group = (name: string, method = 'GET', body?: object) =>
      fetch(`${jar.httpsUrl}${GROUPS}/${name}?api-version=2021-04-01`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    const list = page.getByRole('grid', { name: 'Requests' });
    const detail = page.getByRole('region', { name: 'Request' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('requests');
    await list.getByText('/_jar/console/sessions').waitFor();

    // New requests move in at the top, without a reload.
    await group('shop', 'PUT', { location: 'westus', tags: { note: HOSTILE } });
    await group('missing');
    const refused = list.getByRole('row', { name: /missing/ });
    await refused.getByText('ResourceGroupNotFound').waitFor();
    await accessible();

    await list.getByRole('row', { name: /PUT.*shop/ }).click();
    await page.waitForURL(/\/console\/requests\/\w+-\d+$/);
    await detail.getByText(/Answered with 201/).waitFor();
    await accessible();
    // Beside an open request the list does not move.
    await group('later');
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await list.getByText('later').count()).toBe(0);
    await page.getByRole('button', { name: '1 new' }).click();
    await list.getByText('later').waitFor();

    await detail.getByRole('tab', { name: 'Request', exact: true }).click();
    await detail.getByText(HOSTILE, { exact: false }).waitFor();
    await detail.getByRole('cell', { name: '[redacted]' }).waitFor();
    await page.reload();
    await detail.getByText(HOSTILE, { exact: false }).waitFor();
    await accessible();
    await detail.getByRole('tab', { name: 'Response' }).click();
    await detail.getByRole('cell', { name: /application\/json/ }).waitFor();
    await detail.getByRole('tab', { name: 'curl' }).click();
    await detail.getByText(/npx cloudjar token/).waitFor();
    await accessible();
    await page.keyboard.press('c');
    await page.getByText('Copied as curl.').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toContain(`curl -k -X PUT '${jar.httpsUrl}${GROUPS}/shop?api-version=2021-04-01'`);
    expect(copied).not.toContain(token);

    await page.keyboard.press('r');
    await detail.getByText(/Answered with 200/).waitFor();
    await detail.getByRole('link', { name: /^the request/ }).click();
    await detail.getByText(/Answered with 201/).waitFor();
    await page.goBack();
    await detail.getByText(/Answered with 200/).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/console\/requests$/);

    // A fault rule and a limit are named as the reason.
    await control('/_jar/faults', {
      method: 'POST',
      body: { match: { path: '*/struck' }, effect: { status: 503 }, count: 1 },
    });
    await group('struck');
    await page.getByRole('radio', { name: 'Faulted' }).click();
    await list.getByRole('row', { name: /struck/ }).click();
    await detail.getByText('A fault rule struck; the answer was 503.').waitFor();
    await detail.getByRole('link', { name: /Show the rule/ }).waitFor();
    await accessible();
    await page.reload();
    await detail.getByText('A fault rule struck; the answer was 503.').waitFor();
    await page.getByRole('radio', { name: 'Errors' }).click();
    await refused.waitFor();
    await page.getByRole('radio', { name: 'Limited' }).click();
    await page.getByText('No request matches the filter').waitFor();

    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('textbox').fill('/missing');
    await page
      .getByRole('option', { name: /missing/ })
      .first()
      .click();
    await detail.getByText(/Refused with 404, ResourceGroupNotFound/).waitFor();
  },
);

consoleStory(
  'a reader sees requests without secrets and cannot send them again',
  async ({ jar, page, open, accessible }) => {
    await fetch(`${jar.httpsUrl}/languages?api-version=3.0`);
    await open("requests?filter=service eq 'translator'");
    await page.getByRole('row', { name: /languages/ }).click();
    await page.getByText(/Answered with 200/).waitFor();
    expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    await accessible();
  },
  { role: 'reader', size: { width: 360, height: 640 } },
);
