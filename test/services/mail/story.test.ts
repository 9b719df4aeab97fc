import type { Client } from '@microsoft/microsoft-graph-client';
import { createTransport } from 'nodemailer';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../support/jars.ts';
import { graphClient } from './graph-client.ts';

const at = (dateTime: string) => ({ dateTime, timeZone: 'W. Europe Standard Time' });
const person = (address: string) => ({ emailAddress: { address }, type: 'required' });

const INVITATION = [
  'BEGIN:VCALENDAR',
  'PRODID:-//Fabrikam//Calendar//EN',
  'VERSION:2.0',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'UID:review@fabrikam.example',
  'SEQUENCE:0',
  'DTSTAMP:20260105T080000Z',
  'DTSTART:20260203T090000Z',
  'DTEND:20260203T100000Z',
  'SUMMARY:Review',
  'LOCATION:Berlin',
  'ORGANIZER;CN=Carol:mailto:carol@fabrikam.example',
  'ATTENDEE;CN=Ada Admin;RSVP=TRUE;PARTSTAT=NEEDS-ACTION:mailto:admin@vendor.example',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

onBothStores('the story of a meeting request', (bench) => {
  let ada: Client;
  let lin: Client;
  const inboxOf = async (client: Client) => (await client.api('/me/mailFolders/inbox/messages').get()).value;

  beforeEach(async () => {
    await bench.jar.reset();
    ada = await graphClient(bench, { user: 'admin', version: 'beta' });
    lin = await graphClient(bench, { user: 'licensed', version: 'beta' });
  });

  it('an invitation arrives by SMTP, is opened through its event and accepted, and the answer is sent', async () => {
    const transport = createTransport({ host: '127.0.0.1', port: bench.jar.smtpPort, ignoreTLS: true });
    await transport.sendMail({
      from: 'Carol <carol@fabrikam.example>',
      to: 'Ada Admin <admin@vendor.example>',
      subject: 'Review',
      text: 'Please come',
      icalEvent: { method: 'REQUEST', content: INVITATION },
    });
    const [request] = await inboxOf(ada);
    expect(request).toMatchObject({
      '@odata.type': '#microsoft.graph.eventMessageRequest',
      meetingMessageType: 'meetingRequest',
      meetingRequestType: 'newMeetingRequest',
      responseRequested: true,
      allowNewTimeProposals: true,
      type: 'singleInstance',
    });
    const opened = await ada.api(`/me/messages/${request.id}`).expand('microsoft.graph.eventMessage/event').get();
    expect(opened.event).toMatchObject({
      subject: 'Review',
      showAs: 'tentative',
      responseStatus: { response: 'notResponded' },
      organizer: { emailAddress: { name: 'Carol', address: 'carol@fabrikam.example' } },
      isOrganizer: false,
    });
    await ada.api(`/me/events/${opened.event.id}/accept`).post({ comment: 'Gladly', sendResponse: true });
    await bench.jar.settled();
    expect(await ada.api(`/me/events/${opened.event.id}`).get()).toMatchObject({
      showAs: 'busy',
      responseStatus: { response: 'accepted' },
    });
    const [answer] = (await ada.api('/me/mailFolders/sentitems/messages').get()).value;
    expect(answer).toMatchObject({
      '@odata.type': '#microsoft.graph.eventMessageResponse',
      subject: 'Accepted: Review',
      responseType: 'accepted',
      toRecipients: [{ emailAddress: { address: 'carol@fabrikam.example' } }],
    });
    const source = await bench.call('GET', `/v1.0/me/messages/${answer.id}/$value`);
    expect(source.text).toMatch(/text\/calendar; *(charset="?utf-8"?; *)?method=REPLY/i);
  });

  it('organizer and attendee of one jar: invited, moved, answered with a proposal, and cancelled', async () => {
    const event = await ada.api('/me/events').post({
      subject: 'Planning',
      body: { contentType: 'html', content: '<p>Agenda</p>' },
      start: at('2026-03-02T09:00:00'),
      end: at('2026-03-02T10:00:00'),
      location: { displayName: 'Room 1' },
      attendees: [person('licensed@vendor.example')],
    });
    await bench.jar.settled();
    const [request] = await inboxOf(lin);
    expect(request).toMatchObject({
      subject: 'Planning',
      meetingRequestType: 'newMeetingRequest',
      startDateTime: { dateTime: '2026-03-02T08:00:00.0000000', timeZone: 'UTC' },
      from: { emailAddress: { address: 'admin@vendor.example' } },
    });
    const own = await lin.api(`/me/messages/${request.id}/event`).get();
    expect(own).toMatchObject({
      subject: 'Planning',
      responseStatus: { response: 'notResponded' },
      iCalUId: event.iCalUId,
    });

    await ada.api(`/me/events/${event.id}`).patch({ start: at('2026-03-03T09:00:00'), end: at('2026-03-03T10:00:00') });
    await bench.jar.settled();
    const updates = await inboxOf(lin);
    expect(updates.find(({ id }: { id: string }) => id !== request.id)).toMatchObject({
      meetingRequestType: 'fullUpdate',
      isOutOfDate: false,
      previousStartDateTime: { dateTime: '2026-03-02T08:00:00.0000000' },
      previousLocation: null,
    });
    expect(await lin.api(`/me/messages/${request.id}`).get()).toMatchObject({
      isOutOfDate: true,
      meetingRequestType: 'outdated',
    });

    await lin.api(`/me/events/${own.id}/tentativelyAccept`).post({
      comment: 'Later?',
      proposedNewTime: { start: at('2026-03-03T11:00:00'), end: at('2026-03-03T12:00:00') },
    });
    await bench.jar.settled();
    const [proposal] = await inboxOf(ada);
    expect(proposal).toMatchObject({
      subject: 'New Time Proposed: Planning',
      meetingMessageType: 'meetingTentativelyAccepted',
      responseType: 'tentativelyAccepted',
      proposedNewTime: { start: { dateTime: '2026-03-03T10:00:00.0000000' } },
    });
    expect((await ada.api(`/me/events/${event.id}`).get()).attendees).toMatchObject([
      {
        status: { response: 'tentativelyAccepted' },
        proposedNewTime: { start: { dateTime: '2026-03-03T10:00:00.0000000' } },
      },
    ]);

    await ada.api(`/me/events/${event.id}/cancel`).post({ comment: 'No longer needed' });
    await bench.jar.settled();
    const cancelled = (await inboxOf(lin)).find(({ subject }: { subject: string }) => subject.startsWith('Canceled: '));
    expect(cancelled).toMatchObject({
      '@odata.type': '#microsoft.graph.eventMessage',
      meetingMessageType: 'meetingCancelled',
    });
    expect(await lin.api(`/me/events/${own.id}`).get()).toMatchObject({
      isCancelled: true,
      subject: 'Canceled: Planning',
    });
  });
});
