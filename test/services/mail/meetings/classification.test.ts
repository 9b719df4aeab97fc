import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import {
  ADA,
  CAROL,
  CLOCK_START,
  DAN,
  type MeetingMail,
  mail,
  type Post,
  type Properties,
  postOf,
} from './arrivals.ts';

const attendee = (address: string, parameters = 'PARTSTAT=NEEDS-ACTION;RSVP=TRUE'): string =>
  `;${parameters}:mailto:${address}`;

const EVENT: Properties = {
  UID: 'review@fabrikam.example',
  DTSTART: '20260203T090000Z',
  DTEND: '20260203T100000Z',
  SUMMARY: 'Review',
  LOCATION: 'Room 1',
  DESCRIPTION: 'Agenda',
  ORGANIZER: ';CN=Carol:mailto:carol@fabrikam.example',
  ATTENDEE: [attendee(ADA)],
};

const stamp = (version: number): string => `202601${String(5 + version).padStart(2, '0')}T080000Z`;

/** The request with a SEQUENCE, stamped a day later than the one before. */
const request = (sequence: number, changes: Properties = {}): MeetingMail =>
  mail('REQUEST', { ...EVENT, SEQUENCE: String(sequence), DTSTAMP: stamp(sequence), ...changes });
const cancel = (sequence: number, changes: Properties = {}): MeetingMail =>
  mail('CANCEL', { ...EVENT, SEQUENCE: String(sequence), DTSTAMP: stamp(sequence), STATUS: 'CANCELLED', ...changes });

const LATER = { DTSTART: '20260204T090000Z', DTEND: '20260204T100000Z' };
const LAST = { DTSTART: '20260205T090000Z', DTEND: '20260205T100000Z' };
const at = (day: string, hour = '09') => ({ dateTime: `${day}T${hour}:00:00.0000000`, timeZone: 'UTC' });
const NEW = { meetingMessageType: 'meetingRequest', meetingRequestType: 'newMeetingRequest', isOutOfDate: false };
const OUTDATED = { meetingMessageType: 'meetingRequest', meetingRequestType: 'outdated', isOutOfDate: true };
const NOTHING_BEFORE = { previousStartDateTime: null, previousEndDateTime: null, previousLocation: null };

interface Row {
  readonly title: string;
  readonly mails: readonly MeetingMail[];
  /** In the order of arrival, after all have arrived. */
  readonly messages: readonly object[];
  readonly events: readonly object[];
}

const ROWS: readonly Row[] = [
  {
    title: 'the first request is new, and its event is there at once, tentative',
    mails: [request(0)],
    messages: [
      {
        '@odata.type': '#microsoft.graph.eventMessageRequest',
        ...NEW,
        ...NOTHING_BEFORE,
        type: 'singleInstance',
        recurrence: null,
        isAllDay: false,
        isDelegated: false,
        responseRequested: true,
        allowNewTimeProposals: true,
        startDateTime: at('2026-02-03'),
        endDateTime: at('2026-02-03', '10'),
        location: { displayName: 'Room 1' },
        event: { subject: 'Review' },
      },
    ],
    events: [
      {
        start: at('2026-02-03'),
        showAs: 'tentative',
        isReminderOn: true,
        isCancelled: false,
        isOrganizer: false,
        responseStatus: { response: 'notResponded' },
        organizer: { emailAddress: { name: 'Carol', address: CAROL } },
      },
    ],
  },
  {
    title: 'another time is a full update, which shows the time before',
    mails: [request(0), request(1, LATER)],
    messages: [
      OUTDATED,
      {
        ...NEW,
        meetingRequestType: 'fullUpdate',
        startDateTime: at('2026-02-04'),
        previousStartDateTime: at('2026-02-03'),
        previousEndDateTime: at('2026-02-03', '10'),
        previousLocation: null,
      },
    ],
    events: [{ start: at('2026-02-04') }],
  },
  {
    title: 'another end alone shows the end before, and no start',
    mails: [request(0), request(1, { DTEND: '20260203T110000Z' })],
    messages: [
      OUTDATED,
      { meetingRequestType: 'fullUpdate', previousStartDateTime: null, previousEndDateTime: at('2026-02-03', '10') },
    ],
    events: [{ end: at('2026-02-03', '11') }],
  },
  {
    title: 'recurrence that is new is a full update',
    mails: [request(0), request(1, { RRULE: 'FREQ=DAILY;COUNT=3' })],
    messages: [OUTDATED, { meetingRequestType: 'fullUpdate', type: 'seriesMaster', previousStartDateTime: null }],
    events: [{ type: 'seriesMaster', recurrence: { pattern: { type: 'daily' } } }],
  },
  {
    title: 'somebody who is added makes a full update',
    mails: [request(0), request(0, { DTSTAMP: stamp(1), ATTENDEE: [attendee(ADA), attendee(DAN)] })],
    messages: [OUTDATED, { meetingRequestType: 'fullUpdate', ...NOTHING_BEFORE }],
    events: [{ start: at('2026-02-03') }],
  },
  {
    title: 'another place with the same SEQUENCE is an informational update, which shows the place before',
    mails: [request(0), request(0, { DTSTAMP: stamp(1), LOCATION: 'Room 2' })],
    messages: [
      OUTDATED,
      {
        meetingRequestType: 'informationalUpdate',
        location: { displayName: 'Room 2' },
        previousLocation: { displayName: 'Room 1' },
        previousStartDateTime: null,
      },
    ],
    events: [{ location: { displayName: 'Room 2' } }],
  },
  {
    title: 'another subject with a higher SEQUENCE is an informational update: content decides',
    mails: [request(0), request(1, { SUMMARY: 'Review, again' })],
    messages: [OUTDATED, { meetingRequestType: 'informationalUpdate', ...NOTHING_BEFORE }],
    events: [{ subject: 'Review, again' }],
  },
  {
    title: 'somebody who is gone from the list makes a silent update',
    mails: [
      request(0, { ATTENDEE: [attendee(ADA), attendee(DAN)] }),
      request(0, { DTSTAMP: stamp(1), ATTENDEE: [attendee(ADA)] }),
    ],
    messages: [OUTDATED, { meetingRequestType: 'silentUpdate', ...NOTHING_BEFORE }],
    events: [{ attendees: [{ emailAddress: { address: ADA } }, { emailAddress: { address: CAROL } }] }],
  },
  {
    title: 'an update that comes before the first request is new, and the request is out of date when it comes',
    mails: [request(1, LATER), request(0)],
    messages: [
      { ...NEW, ...NOTHING_BEFORE },
      { ...OUTDATED, ...NOTHING_BEFORE, startDateTime: at('2026-02-03') },
    ],
    events: [{ start: at('2026-02-04') }],
  },
  {
    title: 'of two updates that were swapped on the way, the newer one stays',
    mails: [request(0), request(2, LAST), request(1, LATER)],
    messages: [
      OUTDATED,
      { meetingRequestType: 'fullUpdate', previousStartDateTime: at('2026-02-03') },
      { ...OUTDATED, ...NOTHING_BEFORE },
    ],
    events: [{ start: at('2026-02-05') }],
  },
  {
    title: 'DTSTAMP decides between two updates of one SEQUENCE',
    mails: [
      request(0),
      request(0, { DTSTAMP: stamp(2), LOCATION: 'Room 3' }),
      request(0, { DTSTAMP: stamp(1), LOCATION: 'Room 2' }),
    ],
    messages: [OUTDATED, { meetingRequestType: 'informationalUpdate' }, OUTDATED],
    events: [{ location: { displayName: 'Room 3' } }],
  },
  {
    title: 'the same request in another mail is no update, and is not out of date',
    mails: [request(0), request(0)],
    messages: [NEW, { ...NEW, ...NOTHING_BEFORE }],
    events: [{ start: at('2026-02-03') }],
  },
  {
    title: 'the same update in another mail is classified as the first one was',
    mails: [request(0), request(1, LATER), request(1, LATER)],
    messages: [
      OUTDATED,
      { meetingRequestType: 'fullUpdate' },
      { meetingRequestType: 'fullUpdate', isOutOfDate: false, ...NOTHING_BEFORE },
    ],
    events: [{ start: at('2026-02-04') }],
  },
  {
    title: 'a cancellation leaves the event as cancelled, and requests out of date',
    mails: [request(0), cancel(1)],
    messages: [
      OUTDATED,
      {
        '@odata.type': '#microsoft.graph.eventMessage',
        meetingMessageType: 'meetingCancelled',
        isOutOfDate: false,
        startDateTime: at('2026-02-03'),
        event: { isCancelled: true },
      },
    ],
    events: [{ subject: 'Canceled: Review', isCancelled: true, showAs: 'free' }],
  },
  {
    title: 'a cancellation that keeps the SEQUENCE and the stamp of its request cancels it, whichever comes first',
    mails: [cancel(0), request(0)],
    messages: [{ meetingMessageType: 'meetingCancelled', event: null }, OUTDATED],
    events: [],
  },
  {
    title: 'a cancellation before its request leaves no event, and the late request is out of date',
    mails: [cancel(1), request(0)],
    messages: [
      { meetingMessageType: 'meetingCancelled', isOutOfDate: false, event: null },
      { ...OUTDATED, event: null },
    ],
    events: [],
  },
  {
    title: 'an old cancellation does nothing to an event that was revived',
    mails: [request(0), request(2, LATER), cancel(1)],
    messages: [
      OUTDATED,
      { meetingRequestType: 'fullUpdate' },
      { meetingMessageType: 'meetingCancelled', isOutOfDate: true },
    ],
    events: [{ isCancelled: false, start: at('2026-02-04') }],
  },
  {
    title: 'a request after the cancellation revives the meeting: a full update, also with nothing else changed',
    mails: [request(0), cancel(1), request(2)],
    messages: [
      OUTDATED,
      { meetingMessageType: 'meetingCancelled' },
      { meetingRequestType: 'fullUpdate', isOutOfDate: false, ...NOTHING_BEFORE },
    ],
    events: [
      { subject: 'Review', isCancelled: false, showAs: 'tentative', responseStatus: { response: 'notResponded' } },
    ],
  },
  {
    title: 'a cancellation for other attendees leaves the meeting of this one alone',
    mails: [request(0), cancel(1, { STATUS: undefined, ATTENDEE: [attendee(DAN)] })],
    messages: [NEW, { meetingMessageType: 'meetingCancelled' }],
    events: [{ isCancelled: false, subject: 'Review' }],
  },
  {
    title: 'a forwarded request is from who forwards it, and the meeting stays its organizer’s',
    mails: [{ ...request(0, { ATTENDEE: [attendee(DAN)] }), from: `Dan <${DAN}>` }],
    messages: [{ ...NEW, from: { emailAddress: { name: 'Dan', address: DAN } }, responseRequested: true }],
    events: [{ organizer: { emailAddress: { address: CAROL } }, isOrganizer: false }],
  },
  {
    title: 'a request without the mailbox among its attendees makes an event all the same',
    mails: [request(0, { ATTENDEE: [attendee('list@fabrikam.example', 'CUTYPE=GROUP;RSVP=TRUE')] })],
    messages: [NEW],
    events: [{ responseStatus: { response: 'notResponded' } }],
  },
  {
    title: 'a request of the mailbox itself that comes back is a plain event message without an event',
    mails: [request(0, { ORGANIZER: `:mailto:${ADA}`, ATTENDEE: [attendee(DAN)] })],
    messages: [{ '@odata.type': '#microsoft.graph.eventMessage', meetingMessageType: 'none', event: null }],
    events: [],
  },
  {
    title: 'a request that was delegated to the mailbox says so',
    mails: [
      request(0, {
        ATTENDEE: [
          attendee(DAN, `PARTSTAT=DELEGATED;DELEGATED-TO="mailto:${ADA}"`),
          attendee(ADA, `RSVP=TRUE;DELEGATED-FROM="mailto:${DAN}"`),
        ],
      }),
    ],
    messages: [{ ...NEW, isDelegated: true, responseRequested: true }],
    events: [{ subject: 'Review' }],
  },
  {
    title: 'the row of the mailbox decides whether an answer is requested',
    mails: [request(0, { ATTENDEE: [attendee(ADA, 'RSVP=FALSE'), attendee(DAN, 'RSVP=TRUE')] })],
    messages: [{ responseRequested: false }],
    events: [{ responseRequested: false }],
  },
  {
    title: 'a request without any RSVP asks for an answer',
    mails: [request(0, { ATTENDEE: [`:mailto:${ADA}`] })],
    messages: [{ responseRequested: true }],
    events: [{ responseRequested: true }],
  },
  {
    title: 'an organizer may allow no proposals',
    mails: [request(0, { 'X-MICROSOFT-DISALLOW-COUNTER': 'TRUE' })],
    messages: [{ allowNewTimeProposals: false }],
    events: [{ allowNewTimeProposals: false }],
  },
  {
    title: 'all-day meetings are of days',
    mails: [request(0, { DTSTART: ';VALUE=DATE:20260203', DTEND: ';VALUE=DATE:20260205' })],
    messages: [{ ...NEW, isAllDay: true, startDateTime: at('2026-02-03', '00'), endDateTime: at('2026-02-05', '00') }],
    events: [{ isAllDay: true, start: at('2026-02-03', '00'), end: at('2026-02-05', '00') }],
  },
  {
    title: 'the stamp of the critical change is finer than DTSTAMP',
    mails: [
      request(0, { 'X-MICROSOFT-CDO-OWNER-CRITICAL-CHANGE': '20260110T080000Z' }),
      request(0, { DTSTAMP: stamp(9), 'X-MICROSOFT-CDO-OWNER-CRITICAL-CHANGE': '20260109T080000Z', LOCATION: 'Old' }),
    ],
    messages: [NEW, OUTDATED],
    events: [{ location: { displayName: 'Room 1' } }],
  },
];

onAnyStore(
  'mail about a meeting that somebody else organizes',
  (bench) => {
    let post: Post;
    beforeEach(async () => {
      await bench.jar.reset();
      post = await postOf(bench);
    });

    it.each(ROWS.map((row) => [row.title, row] as const))('%s', async (_, { mails, messages, events }) => {
      const ids = await post.sendAll(mails);
      const shown = await post.messages(ids);
      for (const [index, expected] of messages.entries()) expect(shown[index]).toMatchObject(expected);
      const calendar = await post.events();
      expect(calendar).toHaveLength(events.length);
      for (const [index, expected] of events.entries()) expect(calendar[index]).toMatchObject(expected);
    });

    it.each(['PUBLISH', 'ADD', 'REFRESH', 'DECLINECOUNTER'])('METHOD:%s is a plain message', async (method) => {
      const message = await post.message(await post.send(mail(method, { ...EVENT, DTSTAMP: stamp(0) })));
      expect(message).toMatchObject({ subject: 'Review' });
      expect(message).not.toHaveProperty('meetingMessageType');
      expect(await post.events()).toEqual([]);
    });

    describe('a change by the owner of the mailbox', () => {
      const answered = async () => {
        await post.send(request(0));
        const [event] = await post.events();
        await post.client.api(`/me/events/${event.id}/accept`).post({ sendResponse: false });
        await post.client.api(`/me/events/${event.id}`).patch({ categories: ['Blue category'] });
        return event;
      };

      it('stays through an informational update', async () => {
        const { id } = await answered();
        await post.send(request(0, { DTSTAMP: stamp(1), LOCATION: 'Room 2' }));
        expect(await post.client.api(`/me/events/${id}`).get()).toMatchObject({
          location: { displayName: 'Room 2' },
          responseStatus: { response: 'accepted' },
          showAs: 'busy',
          categories: ['Blue category'],
        });
      });

      it('is asked for again by another time', async () => {
        const { id } = await answered();
        await post.send(request(1, LATER));
        expect(await post.client.api(`/me/events/${id}`).get()).toMatchObject({
          responseStatus: { response: 'notResponded' },
          showAs: 'tentative',
          categories: ['Blue category'],
        });
      });

      it('is not undone by a repeated request', async () => {
        const { id } = await answered();
        await post.send(request(0));
        expect(await post.client.api(`/me/events/${id}`).get()).toMatchObject({
          responseStatus: { response: 'accepted' },
        });
        await post.client.api(`/me/events/${id}`).delete();
        await post.send(request(0));
        expect(await post.events()).toEqual([]);
      });

      it('does not keep a declined meeting away when its time has changed', async () => {
        await post.send(request(0));
        const [event] = await post.events();
        await post.client.api(`/me/events/${event.id}/decline`).post({ sendResponse: false });
        expect(await post.events()).toEqual([]);
        const update = await post.send(request(1, LATER));
        expect(await post.message(update)).toMatchObject({ meetingRequestType: 'fullUpdate' });
        expect(await post.events()).toMatchObject([
          { start: at('2026-02-04'), responseStatus: { response: 'notResponded' } },
        ]);
      });
    });
  },
  { clockStart: CLOCK_START },
);
