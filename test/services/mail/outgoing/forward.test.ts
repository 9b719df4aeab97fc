import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { readCalendar } from '../../../../src/services/mail/ical/read.ts';
import { findInvitation } from '../../../../src/services/mail/mime/invitation.ts';
import { isProblem } from '../../../../src/services/mail/mime/problem.ts';
import { readMail } from '../../../../src/services/mail/mime/read.ts';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { invitationMail, senderNames } from '../fixtures/mails.ts';
import { CARLA, meeting } from '../fixtures/meeting.ts';
import { graphClient } from '../graph-client.ts';

const person = (address: string) => ({ emailAddress: { address } });
const berlin = (dateTime: string) => ({ dateTime, timeZone: 'W. Europe Standard Time' });
const inboxOf = async (client: Client) => (await client.api('/me/mailFolders/inbox/messages').get()).value;

onBothStores('a meeting request that an attendee forwards', (bench) => {
  let ada: Client;
  let lin: Client;
  let otto: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    [ada, lin, otto] = (await Promise.all(
      ['admin', 'licensed', 'other'].map((user) => graphClient(bench, { user, version: 'beta' })),
    )) as [Client, Client, Client];
  });

  it('invites its receiver in the name of the organizer, who gets the answer', async () => {
    const planned = await ada.api('/me/events').post({
      subject: 'Planning',
      start: berlin('2027-03-02T09:00:00'),
      end: berlin('2027-03-02T10:00:00'),
      attendees: [{ ...person('licensed@vendor.example'), type: 'required' }],
    });
    await bench.jar.settled();
    const [request] = await inboxOf(lin);

    const draft = await lin
      .api(`/me/messages/${request.id}/createForward`)
      .post({ comment: 'For you, too', toRecipients: [person('other@other.example')] });
    expect(draft).toMatchObject({
      '@odata.type': '#microsoft.graph.eventMessageRequest',
      subject: 'FW: Planning',
      isDraft: true,
      meetingMessageType: 'meetingRequest',
    });
    await lin.api(`/me/messages/${draft.id}`).patch({ subject: 'FW: Planning, please come' });
    await lin.api(`/me/messages/${draft.id}/send`).post(undefined);
    await bench.jar.settled();
    expect((await lin.api('/me/mailFolders/sentitems/messages').get()).value).toMatchObject([
      { '@odata.type': '#microsoft.graph.eventMessageRequest', subject: 'FW: Planning, please come', isDraft: false },
    ]);

    const [forwarded] = await inboxOf(otto);
    expect(forwarded).toMatchObject({
      '@odata.type': '#microsoft.graph.eventMessageRequest',
      subject: 'FW: Planning, please come',
      bodyPreview: expect.stringMatching(/^For you, too/),
      meetingRequestType: 'newMeetingRequest',
      from: person('licensed@vendor.example'),
      startDateTime: { dateTime: '2027-03-02T08:00:00.0000000' },
    });
    const event = await otto.api(`/me/messages/${forwarded.id}/event`).get();
    expect(event).toMatchObject({
      subject: 'Planning',
      iCalUId: planned.iCalUId,
      isOrganizer: false,
      organizer: person('admin@vendor.example'),
      responseStatus: { response: 'notResponded' },
    });
    await otto.api(`/me/events/${event.id}/accept`).post({ comment: 'Gladly' });
    await bench.jar.settled();
    expect((await ada.api(`/me/events/${planned.id}`).get()).attendees).toMatchObject([
      { ...person('licensed@vendor.example'), status: { response: 'none' } },
      { ...person('other@other.example'), status: { response: 'accepted' } },
    ]);
  });
});

/** The parsed components of the invitation in a mail. */
function componentsIn(raw: Buffer): unknown {
  const mail = readMail(raw);
  const found = isProblem(mail) ? undefined : findInvitation(mail, 'Europe/Berlin');
  if (!found || isProblem(found)) throw new Error('no invitation');
  const read = readCalendar(found.part.bytes, 'Europe/Berlin', found.part.charset);
  return isProblem(read) ? read : { method: found.calendar.method, components: read.components };
}

onAnyStore('a forwarded invitation from elsewhere', (bench) => {
  const call = (method: string, path: string, body?: object) =>
    bench.call(method, `/v1.0/me/${path}`, body ? { body } : {});
  const receive = (raw: Buffer) => bench.jar.mailbox('admin').send(raw);
  const sourceOf = async (id: string): Promise<Buffer> =>
    Buffer.from((await call('GET', `messages/${id}/$value`)).text);
  const inbox = async () => (await call('GET', 'mailFolders/inbox/messages')).body.value;

  beforeEach(() => bench.jar.reset());

  it.each(senderNames)('says what %s wrote, with the method in the calendar and in its part', async (sender) => {
    const whole = meeting({
      attendees: [{ name: 'Ada', address: 'admin@vendor.example' }, CARLA],
      rule: 'FREQ=WEEKLY;COUNT=4',
      exDates: ['20260112T090000'],
    });
    const raw = invitationMail(sender, whole);
    await receive(raw);
    const [request] = await inbox();
    expect(request.meetingMessageType).toBe('meetingRequest');
    const { body: draft } = await call('POST', `messages/${request.id}/createForward`);
    const source = await sourceOf(draft.id);
    expect(componentsIn(source)).toEqual(componentsIn(raw));
    const mail = readMail(source);
    const [part] = isProblem(mail) ? [] : mail.calendars;
    expect(part).toMatchObject({ contentType: 'text/calendar', method: 'REQUEST', isAlternative: true });
    expect(String(part?.bytes)).toMatch(/\r\nMETHOD:REQUEST\r\n/);
    expect(
      Math.max(
        ...String(part?.bytes)
          .split('\r\n')
          .map((line) => Buffer.byteLength(line)),
      ),
    ).toBeLessThanOrEqual(75);
  });

  it('by a rule invites, too', async () => {
    const rule = { displayName: 'All', sequence: 1, actions: { forwardTo: [person('licensed@vendor.example')] } };
    expect(await call('POST', 'mailFolders/inbox/messageRules', rule)).toMatchObject({ status: 201 });
    await receive(invitationMail('Google', meeting()));
    const message = await bench.jar.mailbox('licensed').waitFor({ subject: /^FW: / });
    expect(message.subject).toContain('Budget review');
    const token = await bench.jar.token({ user: 'licensed' });
    const { body } = await bench.call('GET', '/v1.0/me/events', { token });
    expect(body.value).toMatchObject([{ organizer: person('ann@organizer.example'), isOrganizer: false }]);
  });

  it('is a plain message when the meeting is cancelled or answered', async () => {
    await receive(invitationMail('Exchange', meeting()));
    await receive(invitationMail('Exchange', meeting({ method: 'CANCEL', sequence: 1 }), { subject: 'Canceled' }));
    const cancelled = (await inbox()).find(({ subject }: { subject: string }) => subject === 'Canceled');
    expect(cancelled.meetingMessageType).toBe('meetingCancelled');
    const { body: draft } = await call('POST', `messages/${cancelled.id}/createForward`);
    expect(draft).not.toHaveProperty('@odata.type');
    expect(String(await sourceOf(draft.id))).not.toContain('text/calendar');
  });

  it('of a client that writes MIME keeps its calendar when the draft is changed', async () => {
    const mime = invitationMail('RFC 6047', meeting(), { from: { name: 'Ada', address: 'admin@vendor.example' } });
    const { body: draft } = await bench.call('POST', '/v1.0/me/messages', {
      body: mime.toString('base64'),
      headers: { 'content-type': 'text/plain' },
    });
    expect(draft.meetingMessageType).toBe('meetingRequest');
    await call('PATCH', `messages/${draft.id}`, { subject: 'Other' });
    const source = await sourceOf(draft.id);
    expect(String(source)).toContain('Subject: Other');
    expect(componentsIn(source)).toEqual(componentsIn(mime));
  });
});
