import { beforeEach, describe, expect, it } from 'vitest';
import { type MessageFilter, startJar, type TestJar } from '../../src/testing/index.ts';
import { graphClient } from '../services/mail/graph-client.ts';
import { onBothStores } from '../support/jars.ts';
import { usePostgresDatabase } from '../support/use-postgres.ts';

onBothStores('jar.mailbox(user)', (bench) => {
  beforeEach(() => bench.jar.reset());

  const carol = { from: 'Carol <carol@fabrikam.example>', subject: 'Lunch', text: 'At noon?' };
  const SHORT = { timeoutMs: 10 };

  it('is named by alias or address, and knows its address', async () => {
    const { jar } = bench;
    expect(await jar.mailbox('admin').address()).toBe('admin@vendor.example');
    expect(await jar.mailbox('Other@other.example').address()).toBe('other@other.example');
    await expect(jar.mailbox('nobody').messages()).rejects.toThrow("There is no user 'nobody' in this jar");
    expect(() => jar.mailbox('')).toThrow('the name of the mailbox is empty');
  });

  it('shows a message with its content, its header, its attachments and its source', async () => {
    const mailbox = bench.jar.mailbox('admin');
    const content = Buffer.from([0, 1, 254, 255]);
    const sent = await mailbox.send({ ...carol, cc: 'licensed', attachments: [{ name: 'a.bin', content }] });
    const [message] = await mailbox.messages();
    expect(message).toMatchObject({
      id: sent.recipients[0]?.id,
      messageId: sent.messageId,
      subject: 'Lunch',
      from: 'carol@fabrikam.example',
      fromName: 'Carol',
      to: ['admin@vendor.example'],
      cc: ['licensed@vendor.example'],
      text: 'At noon?',
      html: null,
      folder: 'Inbox',
      isRead: false,
      meeting: null,
    });
    expect(message?.headers).toMatchObject({ subject: 'Lunch', received: [expect.any(String), expect.any(String)] });
    expect(message?.attachments).toMatchObject([{ name: 'a.bin', contentType: 'application/octet-stream', size: 4 }]);
    expect(await message?.attachments[0]?.bytes()).toEqual(content);
    expect((await message?.source())?.toString()).toContain('\r\nSubject: Lunch\r\n');
  });

  it('gives each message once, the oldest first, those that have come and those that are to come', async () => {
    const mailbox = bench.jar.mailbox('admin');
    for (const subject of ['1', '2', '3']) await mailbox.send({ ...carol, subject });
    expect((await mailbox.waitFor()).subject).toBe('1');
    expect((await bench.jar.mailbox('admin@vendor.example').waitFor()).subject).toBe('2');
    const waiting = [mailbox.waitFor(), mailbox.waitFor()];
    await mailbox.send({ ...carol, subject: '4' });
    expect((await Promise.all(waiting)).map(({ subject }) => subject).toSorted()).toEqual(['3', '4']);
    await expect(mailbox.waitFor({}, SHORT)).rejects.toThrow(
      "the mailbox of 'admin' received no matching mail within 10 ms; it has 4, the last ones are '2' from carol@fabrikam.example, '3' from carol@fabrikam.example, '4' from carol@fabrikam.example",
    );
    await expect(bench.jar.mailbox('licensed').waitFor({}, SHORT)).rejects.toThrow('it received no mail at all');
  });

  it('leaves messages that do not match for later calls', async () => {
    const mailbox = bench.jar.mailbox('admin');
    await mailbox.send(carol);
    await mailbox.send({ from: 'dan@fabrikam.example', subject: 'Budget 2031', html: '<p>Numbers</p>' });
    await mailbox.send({ ...carol, subject: 'Review', meeting: { start: '2031-01-06T09:00:00Z', location: 'Room 1' } });
    const request = await mailbox.waitFor({ meetingMessageType: 'meetingRequest' });
    expect(request.meeting).toMatchObject({
      type: 'meetingRequest',
      requestType: 'newMeetingRequest',
      start: '2031-01-06T09:00:00.000Z',
      end: '2031-01-06T09:30:00.000Z',
      location: 'Room 1',
      isOutOfDate: false,
    });
    expect((await mailbox.waitFor(({ html }) => html !== null)).text).toBe('Numbers');
    expect((await mailbox.waitFor({ subject: /^lun/i, from: 'CAROL@fabrikam.example' })).subject).toBe('Lunch');
    expect((await mailbox.messages({ subject: 'Lunch' })).map(({ subject }) => subject)).toEqual(['Lunch']);
    expect(await mailbox.messages({ isRead: true })).toEqual([]);
  });

  it('waits for mail from one mailbox to another, and distinguishes it from sent copies', async () => {
    const { jar } = bench;
    const client = await graphClient(bench);
    const waiting = jar.mailbox('licensed').waitFor({ from: 'admin@vendor.example' });
    await client.api('/me/sendMail').post({
      message: { subject: 'Hi', toRecipients: [{ emailAddress: { address: 'licensed@vendor.example' } }] },
    });
    expect(await waiting).toMatchObject({ subject: 'Hi', folder: 'Inbox' });
    const admin = jar.mailbox('admin');
    expect(await admin.messages()).toEqual([]);
    await expect(admin.waitFor({ subject: 'Hi' }, SHORT)).rejects.toThrow('it received no mail at all');
    expect(await admin.waitFor({ subject: 'Hi', folder: 'sentitems' })).toMatchObject({ folder: 'Sent Items' });
  });

  it('shows mail to other domains, even if no copy was saved', async () => {
    const { jar } = bench;
    const client = await graphClient(bench);
    const toRecipients = ['eve@fabrikam.example', 'dan@fabrikam.example'].map((address) => ({
      emailAddress: { address },
    }));
    await client.api('/me/sendMail').post({ message: { subject: 'Hi', toRecipients }, saveToSentItems: false });
    await jar.settled();
    const kept = await jar.mailbox('admin').kept();
    expect(kept.map(({ to }) => to).toSorted()).toEqual(['dan@fabrikam.example', 'eve@fabrikam.example']);
    expect(kept[0]).toMatchObject({ subject: 'Hi', messageId: expect.stringContaining('@vendor.example>') });
    expect((await kept[0]?.source())?.toString()).toContain('\r\nSubject: Hi\r\n');
    expect(await jar.mailbox('licensed').kept()).toEqual([]);
  });

  it('refuses a filter that it does not know, instead of giving every message', async () => {
    const mailbox = bench.jar.mailbox('admin');
    const misspelt = { Subject: 'Lunch' } as MessageFilter;
    const message = "a filter of messages has no 'Subject'; it has subject, from, isRead, meetingMessageType, folder";
    await expect(mailbox.messages(misspelt)).rejects.toThrow(message);
    await expect(mailbox.waitFor(misspelt)).rejects.toThrow(message);
  });

  it('shows the answer to an invitation where its organizer is in the jar', async () => {
    const { jar } = bench;
    const [organizer, guest] = [jar.mailbox('admin'), jar.mailbox('licensed')];
    const owner = await graphClient(bench);
    await owner.api('/me/events').post({
      subject: 'Review',
      start: { dateTime: '2031-01-06T09:00:00', timeZone: 'UTC' },
      end: { dateTime: '2031-01-06T10:00:00', timeZone: 'UTC' },
      attendees: [{ emailAddress: { address: 'licensed@vendor.example' }, type: 'required' }],
    });
    const { meeting } = await guest.waitFor({ meetingMessageType: 'meetingRequest' });
    const client = await graphClient(bench, { user: 'licensed' });
    const [event] = (await client.api('/me/events').get()).value;
    await client.api(`/me/events/${event.id}/accept`).post({ comment: 'Yes', sendResponse: true });
    const answer = await organizer.waitFor({ meetingMessageType: 'meetingAccepted' });
    expect(answer.meeting).toMatchObject({ response: 'accepted', uid: meeting?.uid });
    expect(await guest.events()).toMatchObject([{ subject: 'Review', response: 'accepted', uid: meeting?.uid }]);
    const [own] = await organizer.events();
    expect(own?.isOrganizer).toBe(true);
    expect(own?.attendees).toMatchObject([{ address: 'licensed@vendor.example', response: 'accepted' }]);
  });

  it('takes whole mails, also the same one again', async () => {
    const mailbox = bench.jar.mailbox('admin');
    const mime =
      'From: carol@fabrikam.example\nTo: team@fabrikam.example\nSubject: Raw\nMessage-ID: <1@x.example>\n\nHi\n';
    for (const mail of [mime, Buffer.from(mime)]) {
      await mailbox.send(mail);
      expect(await mailbox.waitFor()).toMatchObject({ subject: 'Raw', to: ['team@fabrikam.example'] });
    }
    await mailbox.clear();
    expect(await mailbox.messages()).toEqual([]);
    await expect(mailbox.send({ to: 'eve@fabrikam.example' })).rejects.toThrow('is not in a domain of this jar');
  });

  it('returns messages again after a restore if they were not returned before the snapshot', async () => {
    const { jar } = bench;
    const mailbox = jar.mailbox('admin');
    for (const subject of ['1', '2']) await mailbox.send({ ...carol, subject });
    expect((await mailbox.waitFor()).subject).toBe('1');
    await jar.snapshot('one-mail-given');
    for (let time = 0; time < 2; time++) {
      expect((await mailbox.waitFor()).subject).toBe('2');
      await jar.restore('one-mail-given');
    }
  });
});

describe('on several nodes', () => {
  it('a mail that came to one is waited for on another', async (context) => {
    const databaseUrl = await usePostgresDatabase(context, 'mailbox_nodes');
    const secretKey = Buffer.alloc(32, 9).toString('base64url');
    const nodes = await Promise.all([1, 2].map(() => startJar({ databaseUrl, secretKey })));
    const [one, two] = nodes as [TestJar, TestJar];
    try {
      const waiting = one.mailbox('admin').waitFor({ subject: 'Over there' });
      await two.mailbox('admin').send({ subject: 'Over there' });
      expect((await waiting).subject).toBe('Over there');
    } finally {
      await Promise.all(nodes.map((node) => node.close()));
    }
  });
});
