import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { invitationMail } from '../fixtures/mails.ts';
import { meeting } from '../fixtures/meeting.ts';
import { graphClient } from '../graph-client.ts';

const lines = (...all: string[]): string => all.join('\r\n');

const INNER = lines(
  'From: Inner <inner@far.example>',
  'To: admin@vendor.example',
  'Subject: The original',
  'Date: Thu, 02 Jan 2020 03:04:05 +0000',
  'Message-ID: <inner@far.example>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=in',
  '',
  '--in',
  'Content-Type: text/plain',
  '',
  'Inside.',
  '--in',
  'Content-Type: text/csv; name=table.csv',
  'Content-Disposition: attachment; filename=table.csv',
  '',
  'a,b',
  '--in--',
  '',
);

const OUTER = lines(
  'From: Outer <outer@far.example>',
  'To: admin@vendor.example',
  'Subject: Forwarded as an attachment',
  'Message-ID: <outer@far.example>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=out',
  '',
  '--out',
  'Content-Type: text/plain',
  '',
  'See the original.',
  '--out',
  'Content-Type: message/rfc822',
  'Content-Disposition: attachment; filename="The original.eml"',
  '',
  INNER,
  '--out',
  'Content-Type: text/html; name=page.html',
  'Content-Disposition: attachment; filename=page.html',
  '',
  '<script>alert(1)</script>',
  '--out--',
  '',
);

onAnyStore('attachments of mail that came as MIME', (bench) => {
  let client: Client;
  let path: string;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
    const draft = await client
      .api('/me/messages')
      .header('content-type', 'text/plain')
      .post(Buffer.from(OUTER).toString('base64'));
    path = `/me/messages/${draft.id}`;
  });

  it('a mail in a mail is an item, which is shown by reading it and downloaded as it came', async () => {
    const { value } = await client.api(`${path}/attachments`).get();
    expect(value).toMatchObject([
      { '@odata.type': '#microsoft.graph.itemAttachment', name: 'The original.eml' },
      { '@odata.type': '#microsoft.graph.fileAttachment', name: 'page.html', contentType: 'text/html' },
    ]);
    const one = `${path}/attachments/${value[0].id}`;
    const { item } = await client.api(one).expand('microsoft.graph.itemattachment/item').get();
    expect(item).toMatchObject({
      '@odata.type': '#microsoft.graph.message',
      id: '',
      subject: 'The original',
      from: { emailAddress: { name: 'Inner', address: 'inner@far.example' } },
      sentDateTime: '2020-01-02T03:04:05Z',
      hasAttachments: true,
      attachments: [{ '@odata.type': '#microsoft.graph.fileAttachment', name: 'table.csv' }],
    });
    const raw = await bench.call('GET', `/v1.0${one}/$value`);
    expect(raw.text.trimEnd()).toBe(INNER.trimEnd());
  });

  it('executable content is only saved by browsers', async () => {
    const [, page] = (await client.api(`${path}/attachments`).select('id').get()).value;
    const raw = await bench.call('GET', `/v1.0${path}/attachments/${page.id}/$value`);
    expect(raw.headers.get('content-disposition')).toBe('attachment');
    expect(raw.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('a MIME draft whose attachments change is composed anew', async () => {
    const value = async (): Promise<string> => (await bench.call('GET', `/v1.0${path}/$value`)).text;
    expect(await value()).toBe(OUTER);
    await client
      .api(`${path}/attachments`)
      .post({ '@odata.type': '#microsoft.graph.fileAttachment', name: 'new.txt', contentBytes: 'bmV3' });
    const after = await value();
    expect(after).toContain('new.txt');
    expect(after).toContain('Subject: The original');
    expect(after).toContain('table.csv');
  });

  it('an attached invitation is shown as the meeting request that it is, and changes no calendar', async () => {
    const invitation = invitationMail('Exchange', meeting()).toString('latin1');
    await bench.jar.mailbox('admin').send(OUTER.replace(INNER, () => invitation));
    const [message] = (await client.api('/me/mailFolders/inbox/messages').get()).value;
    expect(message).not.toHaveProperty('@odata.type');
    const [attached] = (
      await client.api(`/me/messages/${message.id}/attachments`).expand('microsoft.graph.itemAttachment/item').get()
    ).value;
    expect(attached.item).toMatchObject({
      '@odata.type': '#microsoft.graph.eventMessageRequest',
      subject: meeting().summary,
      meetingMessageType: 'meetingRequest',
      startDateTime: { dateTime: '2026-01-05T08:00:00.0000000', timeZone: 'UTC' },
    });
    expect((await client.api('/me/events').get()).value).toEqual([]);
  });
});
