import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { mailControl } from './support.ts';

const MIME = 'From: Carol <carol@fabrikam.example>\nTo: admin@vendor.example\nMessage-ID: <one@x.example>\n\nHello\n';

onAnyStore('POST /_jar/mail/send', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('delivers a mail to the mailboxes of all recipients, including Bcc, and returns the messages', async () => {
    const control = mailControl(bench);
    const { status, body } = await control.ask('POST', 'send', {
      from: 'Dan "D" <dan@fabrikam.example>',
      to: ['Ada <admin@vendor.example>, licensed@vendor.example', 'ADMIN@vendor.example'],
      cc: 'other',
      bcc: 'no-job-queue',
      subject: 'Grüße',
      text: 'a\nb',
    });
    expect(status).toBe(201);
    const mailboxes = body.recipients.map(({ mailbox }: { mailbox: string }) => mailbox);
    expect(mailboxes.toSorted()).toEqual([
      'admin@vendor.example',
      'licensed@vendor.example',
      'no-job-queue@vendor.example',
      'other@other.example',
    ]);
    for (const { mailbox, id } of body.recipients) {
      const message = await control.get(`mailboxes/${mailbox}/messages/${id}`);
      expect(message).toMatchObject({
        messageId: body.messageId,
        subject: 'Grüße',
        from: 'dan@fabrikam.example',
        cc: ['other@other.example'],
        bcc: [],
        text: 'a\nb',
      });
    }
  });

  it('treats each request as a separate mail, even with the same bytes', async () => {
    const control = mailControl(bench);
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push((await control.sendMime(MIME)).body.recipients[0].id);
    expect(new Set(ids).size).toBe(3);
    expect((await control.get('mailboxes/admin/messages')).value).toHaveLength(3);
  });

  it('accepts MIME with any line breaks, and adds a missing Message-ID', async () => {
    const control = mailControl(bench);
    for (const end of ['\n', '\r\n', '\r']) {
      const mime = MIME.replace(/Message-ID.*\n/, '').replaceAll('\n', end);
      const { body } = await control.sendMime(mime, '?from=bounce@fabrikam.example');
      const [{ id }] = body.recipients;
      expect(await control.get(`mailboxes/admin/messages/${id}`)).toMatchObject({
        from: 'carol@fabrikam.example',
        text: 'Hello',
        messageId: body.messageId,
      });
    }
  });

  it('lets the header name any address if the recipients are given', async () => {
    const control = mailControl(bench);
    const mime = MIME.replace('To: admin@vendor.example', 'To: team@fabrikam.example');
    expect((await control.sendMime(mime)).body.error).toMatchObject({ code: 'RecipientElsewhere' });
    const { body } = await control.sendMime(mime, '?recipients=admin&recipients=licensed');
    expect(body.recipients).toHaveLength(2);
    const mail = { to: ['admin', 'eve@fabrikam.example'], subject: 'x' };
    const id = await control.send({ ...mail, recipients: 'admin' });
    expect((await control.get(`mailboxes/admin/messages/${id}`)).to).toEqual([
      'admin@vendor.example',
      'eve@fabrikam.example',
    ]);
  });

  it('makes a meeting request, an update and a cancellation of it', async () => {
    const control = mailControl(bench);
    const order = { from: 'carol@fabrikam.example', to: 'admin', cc: 'licensed', subject: 'Review', text: 'Notes' };
    const meeting = { start: '2031-01-06T09:00:00Z', uid: 'one@fabrikam.example' };
    const first = await control.send({ ...order, meeting });
    await control.send({ ...order, meeting: { ...meeting, end: '2031-01-06T11:00:00Z', sequence: 1 } });
    await bench.jar.clock.advance('1m');
    const last = await control.send({ ...order, meeting: { ...meeting, sequence: 2, isCancelled: true } });
    expect(await control.get(`mailboxes/admin/messages/${first}`)).toMatchObject({
      meetingMessageType: 'meetingRequest',
      meeting: {
        requestType: 'outdated',
        uid: 'one@fabrikam.example',
        start: '2031-01-06T09:00:00.000Z',
        end: '2031-01-06T09:30:00.000Z',
        isOutOfDate: true,
      },
    });
    expect(await control.get(`mailboxes/admin/messages/${last}`)).toMatchObject({
      meetingMessageType: 'meetingCancelled',
    });
    expect((await control.get('mailboxes/admin/events')).value).toMatchObject([
      { uid: 'one@fabrikam.example', isCancelled: true, organizer: 'carol@fabrikam.example' },
    ]);
    const [{ attendees }] = (await control.get('mailboxes/licensed/events')).value;
    expect(attendees).toMatchObject([
      { address: 'admin@vendor.example', type: 'required' },
      { address: 'licensed@vendor.example', type: 'optional' },
      { address: 'carol@fabrikam.example' },
    ]);
  });

  it('makes meetings of days, and at the next full hour of the jar', async () => {
    const control = mailControl(bench);
    const order = { from: 'carol@fabrikam.example', to: 'admin' };
    await control.send({ ...order, subject: 'Now', meeting: {} });
    await control.send({ ...order, subject: 'Days', meeting: { start: '2031-03-01', duration: '2d' } });
    const { value } = await control.get('mailboxes/admin/events');
    const hour = 3_600_000;
    const next = new Date((Math.floor(bench.jar.clock.now().getTime() / hour) + 1) * hour).toISOString();
    expect(value).toMatchObject([
      { subject: 'Now', start: next },
      { subject: 'Days', isAllDay: true, start: '2031-03-01T00:00:00.000Z', end: '2031-03-03T00:00:00.000Z' },
    ]);
  });

  it('accepts a calendar unchanged', async () => {
    const control = mailControl(bench);
    const calendar = [
      'BEGIN:VCALENDAR',
      'METHOD:REQUEST',
      'BEGIN:VEVENT',
      'UID:two@fabrikam.example',
      'DTSTAMP:20300101T000000Z',
      'DTSTART:20310106T090000Z',
      'ORGANIZER:mailto:carol@fabrikam.example',
      'ATTENDEE:mailto:admin@vendor.example',
      'SUMMARY:Own',
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\r\n');
    await control.send({ from: 'carol@fabrikam.example', to: 'admin', subject: 'Own', calendar });
    expect((await control.get('mailboxes/admin/events')).value).toMatchObject([{ uid: 'two@fabrikam.example' }]);
  });

  const mail = { to: 'admin' };
  describe.each([
    [{}, 'InvalidBody', 'to'],
    [[], 'InvalidBody', ''],
    [{ ...mail, subjekt: 'x' }, 'InvalidBody', 'subjekt'],
    [{ to: [] }, 'RecipientMissing', 'to'],
    [{ to: 'eve@fabrikam.example' }, 'RecipientElsewhere', 'to'],
    [{ to: 'nobody@vendor.example' }, 'RecipientUnknown', 'to'],
    [{ to: 'nobody' }, 'InvalidAddress', 'to'],
    [{ to: 'admin@' }, 'InvalidAddress', 'to'],
    [{ to: 'admin@vendor.example, "x"@' }, 'InvalidAddress', 'to'],
    [{ ...mail, from: 'x\r\nBcc: y@z.example' }, 'InvalidAddress', 'from'],
    [{ ...mail, subject: 'x\r\nBcc: y@z.example' }, 'InvalidMail', 'Subject'],
    [{ ...mail, calendar: 'x' }, 'InvalidBody', 'calendar'],
    [{ ...mail, calendar: 'x', meeting: {} }, 'InvalidBody', 'calendar'],
    [{ ...mail, attachments: [{ name: 'a', contentBytes: '?' }] }, 'InvalidBody', 'attachments[0].contentBytes'],
    [{ ...mail, meeting: { start: 'soon' } }, 'InvalidBody', 'meeting.start'],
    [{ ...mail, meeting: { start: '2031-01-01', duration: '1h' } }, 'InvalidBody', 'meeting.duration'],
    [{ ...mail, meeting: { start: '2031-01-01', end: '2031-01-01T10:00' } }, 'InvalidBody', 'meeting.end'],
    [{ ...mail, meeting: { start: '2031-01-01T10:00', end: '2031-01-01T09:00' } }, 'InvalidBody', 'meeting.end'],
    [{ ...mail, meeting: { duration: '1 fortnight' } }, 'InvalidBody', 'meeting.duration'],
    [{ ...mail, meeting: { start: '9999-12-31T23:00', duration: '2h' } }, 'InvalidBody', 'meeting.duration'],
    [{ ...mail, meeting: { timeZone: 'Mars' } }, 'InvalidBody', 'meeting.timeZone'],
    [{ to: Array.from({ length: 501 }, () => 'admin') }, 'InvalidBody', 'to'],
  ])('refuses %j', (body, code, target) => {
    it(`with ${code} and the place, and stores nothing`, async () => {
      const control = mailControl(bench);
      const answer = await control.ask('POST', 'send', body);
      expect({ status: answer.status, ...answer.body }).toMatchObject({ status: 400, error: { code } });
      expect(answer.body.error.target ?? '').toBe(target);
      expect((await control.get('mailboxes/admin/messages')).value).toEqual([]);
    });
  });

  it('refuses bodies that are no JSON and no mail', async () => {
    const control = mailControl(bench);
    expect((await control.ask('POST', 'send', '{')).body.error.code).toBe('MalformedJson');
    expect((await control.ask('POST', 'send')).body.error.code).toBe('MalformedJson');
    expect((await control.sendMime('')).body.error.code).toBe('InvalidMail');
    expect((await control.sendMime('Subject: x\n\nnobody')).body.error).toMatchObject({
      code: 'RecipientMissing',
      target: 'recipients',
    });
    expect((await control.sendMime(Buffer.alloc(36 * 1024 * 1024, 'x'))).status).toBe(413);
  });

  it('has the limit of the setting messageSizeLimit, be it lower or higher than at first', async () => {
    const control = mailControl(bench);
    const set = (bytes: number | null) => control.ask('PATCH', 'settings', { messageSizeLimit: bytes });
    const sized = (bytes: number) => control.sendMime(Buffer.from(MIME.padEnd(bytes, 'x\n')));
    const MIB = 1024 * 1024;
    expect((await set(MIB)).status).toBe(200);
    expect((await sized(MIB / 2)).status).toBe(201);
    expect(await sized(MIB + 1)).toMatchObject({ status: 413, body: { error: { code: 'MailTooLarge' } } });
    expect((await set(50 * MIB)).status).toBe(200);
    const large = Buffer.alloc(42 * MIB, 'x');
    Buffer.from(MIME).copy(large);
    expect((await control.sendMime(large)).status).toBe(201);
    expect((await control.get('mailboxes/admin/messages')).value).toHaveLength(2);
    expect((await set(null)).status).toBe(200);
  });
});
