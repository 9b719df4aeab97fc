import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const invitation = (sequence: number, start: string, extra: readonly string[] = []): string =>
  [
    'From: Lin Licensed <licensed@vendor.example>',
    'To: Ada Admin <admin@vendor.example>',
    'Subject: Planning',
    `Message-ID: <plan-${sequence}@vendor.example>`,
    'Date: Mon, 05 Jan 2026 08:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: text/calendar; method=REQUEST; charset=UTF-8',
    '',
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    'UID:planning-1@vendor.example',
    `SEQUENCE:${sequence}`,
    `DTSTAMP:2026010${5 + sequence}T080000Z`,
    `DTSTART;TZID=Europe/Berlin:${start}`,
    'DURATION:PT1H',
    'SUMMARY:Planning',
    'LOCATION:Room 1',
    'ORGANIZER;CN=Lin Licensed:mailto:licensed@vendor.example',
    'ATTENDEE;CN=Ada Admin;RSVP=TRUE:mailto:admin@vendor.example',
    ...extra,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');

onBothStores('a meeting request in a mailbox', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('arrives as an event message with a tentative event, and is superseded by its update', async () => {
    const lin = await graphClient(bench, { user: 'licensed', version: 'beta' });
    const ada = await graphClient(bench, { user: 'admin', version: 'beta' });
    const send = async (mime: string): Promise<void> => {
      await lin.api('/me/sendMail').header('content-type', 'text/plain').post(Buffer.from(mime).toString('base64'));
      await bench.jar.settled();
    };
    await send(invitation(0, '20260201T090000'));
    const first = (await ada.api('/me/mailFolders/inbox/messages').get()).value[0];
    expect(first).toMatchObject({
      '@odata.type': '#microsoft.graph.eventMessageRequest',
      subject: 'Planning',
      meetingMessageType: 'meetingRequest',
      meetingRequestType: 'newMeetingRequest',
      isOutOfDate: false,
      type: 'singleInstance',
      startDateTime: { dateTime: '2026-02-01T08:00:00.0000000', timeZone: 'UTC' },
      location: { displayName: 'Room 1' },
      responseRequested: true,
      previousStartDateTime: null,
    });
    await send(invitation(1, '20260202T090000'));
    const [second, old] = (
      await ada.api('/me/mailFolders/inbox/messages').orderby('receivedDateTime desc').get()
    ).value.toSorted((a: { isOutOfDate: boolean }) => (a.isOutOfDate ? 1 : -1));
    expect(second).toMatchObject({
      meetingRequestType: 'fullUpdate',
      previousStartDateTime: { dateTime: '2026-02-01T08:00:00.0000000' },
      previousLocation: null,
    });
    expect(old).toMatchObject({ id: first.id, isOutOfDate: true, meetingRequestType: 'outdated' });
    expect((await lin.api('/me/mailFolders/sentitems/messages').get()).value).toHaveLength(2);
  });
});
