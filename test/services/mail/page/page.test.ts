import { createTransport } from 'nodemailer';
import type { Page } from 'playwright-core';
import { expect, type TestContext, test } from 'vitest';
import { startJar, type TestJar } from '../../../../src/testing/index.ts';
import { findChromium } from '../../../support/chromium.ts';
import { trust } from '../../../support/trust.ts';
import { PASSWORD } from '../../identity/support.ts';
import { ordinaryWindow, signIn } from '../../identity/windows.ts';

const INSTALLATION_MS = 300_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ADMIN = 'admin@vendor.example';

interface Window {
  readonly page: Page;
  /** Console errors, dialogs, and requests to other hosts than the jar. */
  readonly problems: string[];
}

async function openWindow(context: TestContext, jar: TestJar): Promise<Window> {
  const found = await findChromium();
  if ('missing' in found) return context.skip(found.missing);
  const page = await (await ordinaryWindow(found, jar)).newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('dialog', (dialog) => problems.push(`dialog ${dialog.message()}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${jar.httpsUrl}/`) && !/^(?:data|blob|about):/.test(url)) problems.push(`request ${url}`);
  });
  return { page, problems };
}

const browserTest = (title: string, body: (context: TestContext, jar: TestJar) => Promise<void>): void => {
  test(title, { timeout: INSTALLATION_MS }, async (context) => {
    await using jar = await startJar();
    trust(jar);
    await body(context, jar);
  });
};

const transport = (jar: TestJar) =>
  createTransport({ host: 'localhost', port: jar.smtpPort, requireTLS: true, tls: { ca: jar.ca } });

// biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of every shape
async function ask(jar: TestJar, path: string, user = 'admin'): Promise<any> {
  const headers = { authorization: `Bearer ${await jar.token({ user })}` };
  return (await fetch(`${jar.httpsUrl}${path}`, { headers })).json();
}

const stamp = (at: number): string => `${new Date(at).toISOString().replace(/[-:]/g, '').slice(0, 15)}Z`;

/** An invitation by Lin, as a calendar sends it. */
function invitation(at: number, sequence = 0): string {
  const start = at + DAY_MS + sequence * HOUR_MS;
  return [
    'BEGIN:VCALENDAR',
    'PRODID:-//Test//EN',
    'VERSION:2.0',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    'UID:planning@vendor.example',
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${stamp(at + sequence * HOUR_MS)}`,
    `DTSTART:${stamp(start)}`,
    `DTEND:${stamp(start + HOUR_MS)}`,
    'RRULE:FREQ=DAILY;COUNT=3',
    'SUMMARY:Planning <b>day</b>',
    'LOCATION:Room <5>',
    'ORGANIZER;CN=Lin Licensed:mailto:licensed@vendor.example',
    'ATTENDEE;CN=Ada Admin;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:admin@vendor.example',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

browserTest(
  'an invitation that comes by SMTP is read and accepted, and its organizer has the answer',
  async (context, jar) => {
    const { page, problems } = await openWindow(context, jar);
    await page.goto(`${jar.httpsUrl}/mail/`);
    await signIn(page, ADMIN, PASSWORD);
    await page.getByText('No messages here.').waitFor();
    expect(page.url()).toBe(`${jar.httpsUrl}/mail/`);
    await page.getByText(ADMIN, { exact: true }).waitFor();

    const now = Date.now();
    const invite = (sequence = 0) =>
      transport(jar).sendMail({
        from: 'Lin Licensed <licensed@vendor.example>',
        to: ADMIN,
        subject: 'Planning <b>day</b>',
        text: 'Let us plan.',
        icalEvent: { method: 'REQUEST', content: invitation(now, sequence) },
      });

    // The message appears without a reload.
    await invite();
    const row = page.locator('#rows').getByRole('link', { name: 'Planning <b>day</b>' });
    await row.waitFor();
    await page.locator('#folders').getByRole('link', { name: 'Inbox 1' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const meeting = page.getByRole('region', { name: 'Meeting' });
    await meeting.getByText('Room <5>').waitFor();
    await meeting.getByText(/^Every day, from .*, 3 times$/).waitFor();
    await meeting.getByText('Lin Licensed <licensed@vendor.example>').waitFor();
    await page.frameLocator('iframe.body').getByText('Let us plan.').waitFor();
    await page.getByRole('button', { name: 'Raw source' }).click();
    await page.locator('pre.source').getByText('Message-ID:', { exact: false }).waitFor();
    await page.keyboard.press('v');
    await page.frameLocator('iframe.body').getByText('Let us plan.').waitFor();

    await page.getByLabel('Comment').fill('With pleasure <i>!');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.locator('#answered').getByText('You accepted.').waitFor();
    const [answer] = (await ask(jar, '/beta/me/mailFolders/inbox/messages', 'licensed')).value;
    expect(answer).toMatchObject({ meetingMessageType: 'meetingAccepted', from: { emailAddress: { address: ADMIN } } });
    expect(answer.body.content).toContain('With pleasure');
    // The answered invitation has left the inbox; its URL still shows it.
    await page.locator('#rows').getByRole('link').first().waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('#answered').getByText('You accepted.').waitFor();
    const answered = page.url();

    await page.keyboard.press('g');
    await page.keyboard.press('c');
    const agenda = page.getByRole('region', { name: 'Agenda' }).getByRole('link', { name: 'Planning <b>day</b>' });
    await expect.poll(() => agenda.count(), { timeout: 60_000 }).toBe(3);
    const days = page.getByRole('navigation', { name: 'Days' });
    await days.getByRole('link', { name: 'Later' }).click();
    await page.getByText(/^Nothing from .* to .*\. Accepted invitations/).waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    await days.getByRole('link', { name: 'Earlier' }).click();
    await agenda.first().waitFor();
    await days.getByRole('link', { name: 'Today' }).click();
    await agenda.first().click();
    await meeting.getByText('Ada Admin <admin@vendor.example>').waitFor();

    // The organizer moves the meeting: the new invitation shows both times, the earlier one is out of date.
    await page.goto(answered);
    await page.locator('#answered').waitFor();
    await invite(1);
    await row.waitFor();
    await page.reload();
    await page.getByText('This invitation is out of date.').waitFor();
    await row.click();
    await page.waitForURL((url) => url.href !== answered);
    await meeting.locator('s').waitFor();
    expect(problems).toEqual([]);
    await meeting.getByText('Send the response').click();
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('The meeting is not in your calendar.').waitFor();
    expect((await ask(jar, '/beta/me/mailFolders/inbox/messages', 'licensed')).value).toHaveLength(1);
  },
);

const HOSTILE = [
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/refresh">',
  '<link rel="stylesheet" href="https://evil.example/sheet.css"><style>@import "https://evil.example/import.css";</style>',
  '<script>alert("script")</script><img src="https://evil.example/pixel" onerror="alert(1)">',
  '<div style="background:url(https://evil.example/css)" onclick="alert(2)">Hello</div>',
  '<svg onload="alert(3)"><image href="https://evil.example/svg"/></svg><form action="https://evil.example/form"><input></form>',
  '<iframe srcdoc="<script>parent.alert(4)</script>"></iframe><img src="cid:logo@x" alt="logo">',
  '<a href="https://elsewhere.example/x">https://bank.example</a><a href="javascript:alert(5)">run</a>',
].join('\n');
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

browserTest(
  'a hostile mail runs nothing and asks nobody but the jar, at each address of its webLink',
  async (context, jar) => {
    const { page, problems } = await openWindow(context, jar);
    await transport(jar).sendMail({
      from: '"<img src=x onerror=alert(6)>" <eve@evil.example>',
      to: ADMIN,
      subject: '<script>alert(7)</script>',
      html: HOSTILE,
      attachments: [
        { filename: 'logo.png', cid: 'logo@x', content: PNG },
        { filename: '<b>notes<i>.html', content: '<script>alert(8)</script>', contentType: 'text/html' },
      ],
    });
    const [{ webLink }] = (await ask(jar, '/v1.0/me/messages')).value;

    // Without the list, after the sign-in.
    await page.goto(webLink);
    await signIn(page, ADMIN, PASSWORD);
    await page.getByRole('heading', { name: '<script>alert(7)</script>' }).waitFor();
    expect(page.url()).toBe(webLink);
    expect(await page.locator('#list').isVisible()).toBe(false);
    await page.getByText('Remote content was blocked (5).').waitFor();
    const body = page.frameLocator('iframe.body');
    await body.getByText('Hello').waitFor();
    // The attached image is shown and decoded.
    await expect
      .poll(() => body.getByAltText('logo').evaluate((image: { naturalWidth?: number }) => image.naturalWidth), {
        timeout: 60_000,
      })
      .toBe(1);
    const link = body.getByRole('link', { name: 'https://bank.example' });
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(await link.getAttribute('data-goes-to')).toBe('elsewhere.example');
    expect(await page.locator('iframe.body').getAttribute('sandbox')).not.toMatch(
      /scripts|same-origin|forms|top-navigation/,
    );
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'notes' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('_b_notes_i_.html');

    // Beside the list.
    await page.goto(`${webLink}&ispopout=0`);
    await page.getByRole('heading', { name: '<script>alert(7)</script>' }).waitFor();
    await page.locator('#rows').getByRole('link', { name: '<script>alert(7)</script>' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No messages here.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('#rows').getByRole('link', { name: '<script>alert(7)</script>' }).waitFor();
    await page.getByLabel('Search').fill('from:nobody');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing found for').waitFor();
    expect(problems).toEqual([]);

    // The page cannot be framed.
    await page.goto('about:blank');
    await page.setContent(`<iframe src="${webLink.replaceAll('&', '&amp;')}"></iframe>`);
    await expect.poll(() => page.frames().at(1)?.url(), { timeout: 60_000 }).toMatch(/^chrome-error:/);
  },
);

browserTest('a long list comes page by page, and new mail moves no row that somebody reads', async (context, jar) => {
  const { page, problems } = await openWindow(context, jar);
  const authorization = `Bearer ${await jar.token({ user: 'admin' })}`;
  const post = async (path: string, body: object) => {
    const headers = { authorization, 'content-type': 'application/json' };
    return (await fetch(`${jar.httpsUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  for (let n = 1; n <= 120; n++) await post('/v1.0/me/mailFolders/inbox/messages', { subject: `Number ${n}.` });
  const rows = page.locator('#rows > li');
  await page.goto(`${jar.httpsUrl}/mail/`);
  await signIn(page, ADMIN, PASSWORD);
  await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(50);
  await rows.last().scrollIntoViewIfNeeded();
  await expect.poll(() => rows.count(), { timeout: 60_000 }).toBeGreaterThan(50);
  // The jar's clock stands still, and messages received at the same time have no visible order.
  await jar.clock.advance('1m');
  await transport(jar).sendMail({ from: 'eve@fabrikam.example', to: ADMIN, subject: 'The latest', text: 'x' });
  const fresh = page.getByRole('button', { name: '1 new' });
  await fresh.waitFor();
  expect(await rows.first().textContent()).not.toContain('The latest');
  await fresh.click();
  await rows.first().getByText('The latest').waitFor();

  const event = (await post('/v1.0/me/events', {
    subject: 'Alone <i>here</i>',
    start: { dateTime: '2026-01-05T09:00:00', timeZone: 'UTC' },
    end: { dateTime: '2026-01-05T10:00:00', timeZone: 'UTC' },
  })) as { readonly webLink: string };
  await page.goto(event.webLink);
  await page.getByRole('heading', { name: 'Alone <i>here</i>' }).waitFor();
  expect(await page.locator('#agenda').isVisible()).toBe(false);
  expect(problems).toEqual([]);
});
