import { createTransport } from 'nodemailer';
import { expect } from 'vitest';
import type { TestJar } from '../../src/testing/index.ts';
import { consoleStory } from './console-window.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

/** Sends a mail from the mailbox of the administrator, by the mail API. */
async function sendFromMailbox(jar: TestJar, subject: string, ...to: readonly string[]): Promise<void> {
  const { status } = await fetch(`${jar.httpsUrl}/v1.0/me/sendMail`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      message: {
        subject,
        body: { content: 'It is on its way.' },
        toRecipients: to.map((address) => ({ emailAddress: { address } })),
      },
    }),
  });
  expect(status).toBe(202);
}

consoleStory(
  'mail appears as it arrives, hostile bodies are text, and a sent mail shows where its copies are',
  async ({ jar, page, open, accessible }) => {
    await open('mail');
    await page.getByText('There is no mail yet').waitFor();
    await accessible();

    const smtp = createTransport({ host: 'localhost', port: jar.smtpPort, requireTLS: true, tls: { ca: jar.ca } });
    await smtp.sendMail({
      from: 'Mallory <mallory@fabrikam.example>',
      to: 'admin@vendor.example',
      subject: HOSTILE,
      html: `<p>Win a prize</p><script>alert(2)</script>${HOSTILE}`,
      attachments: [{ filename: 'prize.txt', content: 'nothing' }],
    });
    // The mail appears without a reload.
    await page.getByRole('link', { name: HOSTILE }).click();
    await page.getByText('Win a prize').waitFor();
    await page.getByRole('link', { name: 'prize.txt' }).waitFor();
    await accessible();
    await page.getByRole('tab', { name: 'HTML' }).click();
    await page.getByText('<script>alert(2)</script>').waitFor();
    await page.getByRole('tab', { name: 'Source' }).click();
    await page.getByText(/Content-Type: multipart/).waitFor();
    await page.getByRole('tab', { name: 'Way' }).click();
    await page.getByText('Passed on').waitFor();
    await accessible();

    await page.getByRole('button', { name: 'Send a test mail' }).click();
    await page.getByLabel('To', { exact: true }).fill('nobody-here');
    await page.getByLabel('Subject', { exact: true }).fill('Review');
    await page.getByText('It is an invitation to a meeting').click();
    await page.getByLabel('Start').fill('2027-01-05T10:00:00Z');
    await page.getByLabel('Location').fill('Room 4');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    // The mistake is shown at its field.
    await page
      .getByRole('dialog')
      .getByText(/nobody-here/)
      .waitFor();
    await accessible();
    await page.getByLabel('To', { exact: true }).fill('admin');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('heading', { level: 2, name: 'Review' }).waitFor();
    await page.getByText('Room 4').waitFor();
    await page.getByText(/2027-01-05 10:45 UTC/).waitFor();
    await page.reload();
    await page.getByText('Room 4').waitFor();

    await page.getByRole('link', { name: 'Mailboxes' }).click();
    await page.getByRole('link', { name: 'admin@vendor.example' }).click();
    await page.getByRole('table').getByText('Review').waitFor();
    await accessible();

    await sendFromMailbox(jar, 'Your order', 'eve@fabrikam.example', 'licensed@vendor.example');
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    await page.getByRole('radio', { name: 'Sent' }).click();
    // Until the filtered list has been read, the rows before it are shown.
    await page
      .getByRole('row', { name: /Your order.*Sent Items/ })
      .getByRole('link')
      .click();
    await page.getByRole('tab', { name: 'Way' }).click();
    await page.getByRole('link', { name: 'licensed@vendor.example' }).waitFor();
    await page.getByRole('link', { name: 'eve@fabrikam.example' }).click();
    await page.getByText('kept, there is no relay').waitFor();
    await page.getByText('It is on its way.').waitFor();
    await accessible();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Remove the mail to eve@fabrikam.example?').waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No mail was kept').waitFor();
  },
  { expected: /status of 400/ },
);

consoleStory(
  'the relay is made to refuse mail, and the sender gets a report',
  async ({ jar, page, open, accessible }) => {
    await open('mail/outgoing');
    await page.getByText('No mail was sent to a relay.').waitFor();
    await page.getByRole('button', { name: /What the relay does/ }).click();
    await page.getByRole('option', { name: 'It refuses mail (550)' }).click();
    await page.getByRole('link', { name: 'Fault rule' }).waitFor();
    await sendFromMailbox(jar, 'Your order', 'eve@fabrikam.example');
    await page.getByRole('cell', { name: 'dead-lettered' }).waitFor();
    await accessible();
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    await page.getByRole('link', { name: /Undeliverable/ }).click();
    await page
      .getByText(/eve@fabrikam.example/)
      .first()
      .waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByRole('button', { name: /What the relay does/ }).click();
    await page.getByRole('option', { name: 'The relay works' }).click();
    await page.getByRole('link', { name: 'Fault rule' }).waitFor({ state: 'detached' });
  },
  // Nothing listens there: only the fault rule answers.
  { start: { settings: { mail: { relay: { host: '127.0.0.1', port: 9, tls: 'off' } } } } },
);
