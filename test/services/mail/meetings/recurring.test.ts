import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { ADA, CLOCK_START, type MeetingMail, mail, type Post, type Properties, postOf, startsOf } from './arrivals.ts';

/** Tuesdays at nine in Berlin, which is eight in UTC: 3, 10, 17 and 24 February. */
const MASTER: Properties = {
  UID: 'weekly@fabrikam.example',
  DTSTART: ';TZID=Europe/Berlin:20260203T090000',
  DTEND: ';TZID=Europe/Berlin:20260203T100000',
  RRULE: 'FREQ=WEEKLY;BYDAY=TU;COUNT=4',
  SUMMARY: 'Weekly',
  LOCATION: 'Room 1',
  ORGANIZER: 'mailto:carol@fabrikam.example',
  ATTENDEE: `;RSVP=TRUE:mailto:${ADA}`,
};

const version = (sequence: number, day = 5 + sequence): Properties => ({
  SEQUENCE: String(sequence),
  DTSTAMP: `202601${String(day).padStart(2, '0')}T080000Z`,
});

/** The occurrence of a day in February, at an hour in Berlin. */
const occurrence = (day: number, sequence: number, hour = 9, changes: Properties = {}): Properties => ({
  ...MASTER,
  RRULE: undefined,
  ...version(sequence),
  'RECURRENCE-ID': `;TZID=Europe/Berlin:202602${String(day).padStart(2, '0')}T090000`,
  DTSTART: `;TZID=Europe/Berlin:202602${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}0000`,
  DTEND: `;TZID=Europe/Berlin:202602${String(day).padStart(2, '0')}T${String(hour + 1).padStart(2, '0')}0000`,
  ...changes,
});

const master = (sequence: number, changes: Properties = {}): Properties => ({
  ...MASTER,
  ...version(sequence),
  ...changes,
});
const request = (...events: readonly Properties[]): MeetingMail => mail('REQUEST', ...events);
const cancel = (...events: readonly Properties[]): MeetingMail =>
  mail('CANCEL', ...events.map((event) => ({ ...event, STATUS: 'CANCELLED' })));

const FUTURE = { 'RECURRENCE-ID': ';RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260217T090000' };
const ALL = ['2026-02-03T08:00', '2026-02-10T08:00', '2026-02-17T08:00', '2026-02-24T08:00'];
const MOVED = ['2026-02-03T08:00', '2026-02-10T13:00', '2026-02-17T08:00', '2026-02-24T08:00'];

interface Row {
  readonly title: string;
  readonly mails: readonly MeetingMail[];
  readonly messages?: readonly object[];
  /** Starts in the calendar view, without cancelled events. */
  readonly starts: readonly string[];
  readonly cancelled?: readonly string[];
  /** Result of `GET events`: masters, single events, and occurrences without a series. */
  readonly events?: readonly object[];
}

const ROWS: readonly Row[] = [
  {
    title: 'a series is expanded',
    mails: [request(master(0))],
    messages: [{ type: 'seriesMaster', recurrence: { pattern: { type: 'weekly', daysOfWeek: ['tuesday'] } } }],
    starts: ALL,
    events: [{ type: 'seriesMaster', recurrence: { range: { type: 'numbered', numberOfOccurrences: 4 } } }],
  },
  {
    title: 'a series comes with its exceptions in one mail',
    mails: [request(master(0), occurrence(10, 0, 14))],
    starts: MOVED,
    events: [{ type: 'seriesMaster' }],
  },
  {
    title: 'an exception comes after its series: a full update with the time before',
    mails: [request(master(0)), request(occurrence(10, 1, 14))],
    messages: [
      { meetingRequestType: 'newMeetingRequest', isOutOfDate: false },
      {
        meetingRequestType: 'fullUpdate',
        type: 'exception',
        recurrence: null,
        previousStartDateTime: { dateTime: '2026-02-10T08:00:00.0000000', timeZone: 'UTC' },
        event: { type: 'exception', start: { dateTime: '2026-02-10T13:00:00.0000000' } },
      },
    ],
    starts: MOVED,
  },
  {
    title: 'an exception comes before its series, and is in it once that is there',
    mails: [request(occurrence(10, 1, 14)), request(master(0))],
    messages: [
      {
        meetingRequestType: 'newMeetingRequest',
        type: 'exception',
        isOutOfDate: false,
        event: { type: 'exception', start: { dateTime: '2026-02-10T13:00:00.0000000' } },
      },
      { meetingRequestType: 'newMeetingRequest', type: 'seriesMaster' },
    ],
    starts: MOVED,
    events: [{ type: 'seriesMaster' }],
  },
  {
    title: 'an exception whose RECURRENCE-ID is in UTC belongs to the day of the series in its own zone',
    mails: [
      request({
        ...occurrence(10, 1, 14),
        'RECURRENCE-ID': '20260211T040000Z',
        DTSTART: '20260211T060000Z',
        DTEND: '20260211T070000Z',
      }),
      request({
        ...master(0),
        DTSTART: ';TZID=America/Los_Angeles:20260203T200000',
        DTEND: ';TZID=America/Los_Angeles:20260203T210000',
      }),
    ],
    starts: ['2026-02-04T04:00', '2026-02-11T06:00', '2026-02-18T04:00', '2026-02-25T04:00'],
  },
  {
    title: 'an occurrence without its series stays alone',
    mails: [request(occurrence(10, 0, 14))],
    messages: [{ meetingRequestType: 'newMeetingRequest', type: 'exception', recurrence: null }],
    starts: ['2026-02-10T13:00'],
    events: [{ type: 'exception' }],
  },
  {
    title: 'two occurrences without their series come in one mail',
    mails: [request(occurrence(10, 0, 14), occurrence(17, 0, 15))],
    starts: ['2026-02-10T13:00', '2026-02-17T14:00'],
  },
  {
    title: 'an occurrence without its series is updated and cancelled',
    mails: [request(occurrence(10, 0, 14)), request(occurrence(10, 1, 15)), cancel(occurrence(10, 2, 15))],
    messages: [
      { isOutOfDate: true, meetingRequestType: 'outdated' },
      { isOutOfDate: true, meetingRequestType: 'outdated' },
      { meetingMessageType: 'meetingCancelled' },
    ],
    starts: [],
    cancelled: ['2026-02-10T14:00'],
  },
  {
    title: 'an old update of an occurrence is out of date, and one of another occurrence is not',
    mails: [
      request(master(0)),
      request(occurrence(10, 2, 14)),
      request(occurrence(10, 1, 13)),
      request(occurrence(17, 1, 13)),
    ],
    messages: [{ isOutOfDate: false }, { isOutOfDate: false }, { isOutOfDate: true }, { isOutOfDate: false }],
    starts: ['2026-02-03T08:00', '2026-02-10T13:00', '2026-02-17T12:00', '2026-02-24T08:00'],
  },
  {
    title: 'the cancellation of an occurrence leaves the others',
    mails: [request(master(0)), cancel(occurrence(10, 1))],
    messages: [
      { isOutOfDate: false },
      {
        meetingMessageType: 'meetingCancelled',
        type: 'exception',
        startDateTime: { dateTime: '2026-02-10T08:00:00.0000000', timeZone: 'UTC' },
      },
    ],
    starts: ALL.filter((start) => !start.startsWith('2026-02-10')),
    cancelled: ['2026-02-10T08:00'],
  },
  {
    title: 'the cancellation of an occurrence comes before the series',
    mails: [cancel(occurrence(10, 1)), request(master(0))],
    starts: ALL.filter((start) => !start.startsWith('2026-02-10')),
    cancelled: ['2026-02-10T08:00'],
  },
  {
    title: 'a cancelled occurrence is revived by a newer request',
    mails: [request(master(0)), cancel(occurrence(10, 1)), request(occurrence(10, 2))],
    messages: [
      {},
      {},
      { meetingRequestType: 'fullUpdate', type: 'occurrence', event: { subject: 'Weekly', showAs: 'tentative' } },
    ],
    starts: ALL,
  },
  {
    title: 'two occurrences are cancelled in one mail',
    mails: [request(master(0)), cancel(occurrence(10, 1), occurrence(24, 1))],
    starts: ['2026-02-03T08:00', '2026-02-17T08:00'],
    cancelled: ['2026-02-10T08:00', '2026-02-24T08:00'],
  },
  {
    title: 'the cancellation of the series is one of every occurrence, also of those that differ',
    mails: [request(master(0)), request(occurrence(10, 1, 14)), cancel(master(2))],
    messages: [{ isOutOfDate: true }, { isOutOfDate: true }, { type: 'seriesMaster' }],
    starts: [],
    cancelled: MOVED,
  },
  {
    title: 'the cancellation of the series cancels occurrences that came without it',
    mails: [request(occurrence(10, 0, 14)), cancel(master(1))],
    starts: [],
    cancelled: ['2026-02-10T13:00'],
  },
  {
    title: 'EXDATE leaves occurrences out, in whatever form it is written',
    mails: [request(master(0, { EXDATE: [';TZID=Europe/Berlin:20260210T090000', '20260224T080000Z'] }))],
    starts: ['2026-02-03T08:00', '2026-02-17T08:00'],
  },
  {
    title: 'an occurrence that an update leaves out is gone, and so is its exception',
    mails: [
      request(master(0)),
      request(occurrence(10, 0, 14, version(0, 6))),
      request(master(1, { EXDATE: ';TZID=Europe/Berlin:20260210T090000' })),
    ],
    messages: [{}, { isOutOfDate: true }, { meetingRequestType: 'fullUpdate' }],
    starts: ALL.filter((start) => !start.startsWith('2026-02-10')),
  },
  {
    title: 'an old exception does not bring an occurrence back that the series leaves out',
    mails: [
      request(master(0, { ...version(0, 7), EXDATE: ';TZID=Europe/Berlin:20260210T090000' })),
      request(occurrence(10, 0, 14, version(0, 6))),
    ],
    messages: [{}, { isOutOfDate: true, meetingRequestType: 'outdated' }],
    starts: ALL.filter((start) => !start.startsWith('2026-02-10')),
  },
  {
    title: 'an update of the content keeps occurrences that differ',
    mails: [
      request(master(0)),
      request(occurrence(10, 0, 14, version(0, 6))),
      request(master(0, { ...version(0, 7), LOCATION: 'Room 2' })),
    ],
    messages: [{}, { isOutOfDate: false }, { meetingRequestType: 'informationalUpdate' }],
    starts: MOVED,
  },
  {
    title: 'another time of the series ends what was different before',
    mails: [
      request(master(0)),
      request(occurrence(10, 1, 14)),
      request(
        master(1, {
          ...version(1, 8),
          DTSTART: ';TZID=Europe/Berlin:20260203T110000',
          DTEND: ';TZID=Europe/Berlin:20260203T120000',
        }),
      ),
    ],
    starts: ALL.map((start) => start.replace('T08', 'T10')),
  },
  {
    title: 'from an occurrence on, the series has another time: its rule counts on',
    mails: [request(master(0)), request({ ...occurrence(17, 1, 14), ...FUTURE })],
    messages: [{ isOutOfDate: false }, { meetingRequestType: 'fullUpdate' }],
    starts: ['2026-02-03T08:00', '2026-02-10T08:00', '2026-02-17T13:00', '2026-02-24T13:00'],
  },
  {
    title: 'from an occurrence on, the series is on another day of the week',
    mails: [
      request(master(0)),
      request({
        ...occurrence(17, 1),
        ...FUTURE,
        DTSTART: ';TZID=Europe/Berlin:20260218T090000',
        DTEND: ';TZID=Europe/Berlin:20260218T100000',
      }),
    ],
    starts: ['2026-02-03T08:00', '2026-02-10T08:00', '2026-02-18T08:00', '2026-02-25T08:00'],
  },
  {
    title: 'the change of all that follow comes before the series',
    mails: [request({ ...occurrence(17, 1, 14), ...FUTURE }), request(master(0))],
    starts: ['2026-02-03T08:00', '2026-02-10T08:00', '2026-02-17T13:00', '2026-02-24T13:00'],
  },
  {
    title: 'the change of all that follow comes with the series',
    mails: [request(master(0), { ...occurrence(17, 0, 14), ...FUTURE })],
    starts: ['2026-02-03T08:00', '2026-02-10T08:00', '2026-02-17T13:00', '2026-02-24T13:00'],
  },
  {
    title: 'an occurrence of the part that follows is changed, and then the whole series',
    mails: [
      request(master(0)),
      request({ ...occurrence(17, 1, 14), ...FUTURE }),
      request(occurrence(24, 2, 16, { 'RECURRENCE-ID': ';TZID=Europe/Berlin:20260224T140000' })),
    ],
    starts: ['2026-02-03T08:00', '2026-02-10T08:00', '2026-02-17T13:00', '2026-02-24T15:00'],
  },
  {
    title: 'a newer update of the whole series undoes the change of all that follow',
    mails: [request(master(0)), request({ ...occurrence(17, 1, 14), ...FUTURE }), request(master(2))],
    starts: ALL,
    events: [{ type: 'seriesMaster' }],
  },
  {
    title: 'an update of the whole series that is older than the change of all that follow leaves that',
    mails: [
      request(master(0)),
      request({ ...occurrence(17, 2, 14), ...FUTURE }),
      request(
        master(1, {
          DTSTART: ';TZID=Europe/Berlin:20260203T110000',
          DTEND: ';TZID=Europe/Berlin:20260203T120000',
        }),
      ),
    ],
    starts: ['2026-02-03T10:00', '2026-02-10T10:00', '2026-02-17T13:00', '2026-02-24T13:00'],
  },
  {
    title: 'an occurrence and all that follow are cancelled',
    mails: [request(master(0)), cancel({ ...occurrence(17, 1), ...FUTURE })],
    starts: ['2026-02-03T08:00', '2026-02-10T08:00'],
    cancelled: ['2026-02-17T08:00', '2026-02-24T08:00'],
  },
  {
    title: 'all-day series with an exception that is a date',
    mails: [
      request(master(0, { DTSTART: ';VALUE=DATE:20260203', DTEND: ';VALUE=DATE:20260204' })),
      request({
        ...occurrence(10, 1),
        'RECURRENCE-ID': ';VALUE=DATE:20260210',
        DTSTART: ';VALUE=DATE:20260211',
        DTEND: ';VALUE=DATE:20260212',
      }),
    ],
    starts: ['2026-02-03T00:00', '2026-02-11T00:00', '2026-02-17T00:00', '2026-02-24T00:00'],
    events: [{ isAllDay: true }],
  },
  {
    title: 'floating times are those of the mailbox',
    mails: [request(master(0, { DTSTART: '20260203T090000', DTEND: '20260203T100000' }))],
    starts: ALL.map((start) => start.replace('T08', 'T09')),
  },
  {
    title: 'the 31st of every month has its months, and a pattern that comes near',
    mails: [
      request(
        master(0, {
          DTSTART: '20260131T090000Z',
          DTEND: '20260131T100000Z',
          RRULE: 'FREQ=MONTHLY;BYMONTHDAY=31;COUNT=4',
        }),
      ),
    ],
    starts: ['2026-01-31T09:00', '2026-03-31T09:00', '2026-05-31T09:00', '2026-07-31T09:00'],
    events: [{ type: 'seriesMaster' }],
  },
  {
    title: 'positions in a set of days have their days, though no pattern can say them',
    mails: [
      request(
        master(0, {
          DTSTART: '20260130T090000Z',
          DTEND: '20260130T100000Z',
          RRULE: 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1,2;COUNT=4',
        }),
      ),
    ],
    starts: ['2026-01-30T09:00', '2026-02-03T09:00', '2026-02-27T09:00', '2026-03-03T09:00'],
    events: [{ type: 'seriesMaster' }],
  },
  {
    title: 'a rule that is none leaves a single event',
    mails: [request(master(0, { RRULE: 'FREQ=SOMETIMES' }))],
    starts: ['2026-02-03T08:00'],
    events: [{ type: 'singleInstance', recurrence: null }],
  },
];

onAnyStore(
  'mail about a series of meetings',
  (bench) => {
    let post: Post;
    beforeEach(async () => {
      await bench.jar.reset();
      post = await postOf(bench);
    });

    it.each(ROWS.map((row) => [row.title, row] as const))(
      '%s',
      async (_, { mails, messages = [], starts, cancelled = [], events }) => {
        const ids = await post.sendAll(mails);
        const shown = await post.messages(ids);
        for (const [index, expected] of messages.entries()) expect(shown[index]).toMatchObject(expected);
        const view = await post.view('2026-01-01', '2027-01-01');
        expect(startsOf(view.filter(({ isCancelled }) => !isCancelled))).toEqual(starts);
        expect(startsOf(view.filter(({ isCancelled }) => isCancelled))).toEqual(cancelled);
        for (const [index, expected] of (events ?? []).entries())
          expect((await post.events())[index]).toMatchObject(expected);
        if (events) expect(await post.events()).toHaveLength(events.length);
      },
    );

    it('an unknown zone is stored by its rules', async () => {
      const zones = [
        'BEGIN:VTIMEZONE',
        'TZID:Nowhere at all',
        'BEGIN:STANDARD',
        'DTSTART:19700101T000000',
        'TZOFFSETFROM:+0107',
        'TZOFFSETTO:+0107',
        'END:STANDARD',
        'END:VTIMEZONE',
      ];
      const times = { DTSTART: ';TZID=Nowhere at all:20260203T090700', DTEND: ';TZID=Nowhere at all:20260203T100700' };
      await post.send({ ...request(master(0, times)), zones });
      expect(startsOf(await post.view('2026-01-01', '2027-01-01'))).toEqual(ALL);
      expect(await post.events()).toMatchObject([{ originalStartTimeZone: 'tzone://Microsoft/Custom' }]);
    });

    it('of very many occurrences without a series, a calendar has a hundred', async () => {
      const many = (sequence: number) =>
        Array.from({ length: 150 }, (_, index) => {
          const at = new Date(Date.UTC(2026, 1, 1 + index, 9)).toISOString().replace(/[-:]|\.000/g, '');
          return { ...occurrence(10, sequence), 'RECURRENCE-ID': at, DTSTART: at, DTEND: at };
        });
      const ids = await post.sendAll([request(...many(0)), request(...many(1).slice(50)), cancel(...many(2))]);
      expect(await post.messages(ids)).toMatchObject([
        { isOutOfDate: true },
        { meetingRequestType: 'outdated' },
        { meetingMessageType: 'meetingCancelled' },
      ]);
      expect(await post.view('2026-01-01', '2027-01-01')).toHaveLength(100);
    });

    it('days that the owner deletes and answers stay so through an update of the content', async () => {
      await post.send(request(master(0)));
      const [first, second] = await post.view('2026-02-01', '2026-03-01');
      await post.client.api(`/me/events/${first.id}`).delete();
      await post.client.api(`/me/events/${second.id}/accept`).post({ sendResponse: false });
      const update = await post.send(request(master(0, { ...version(0, 7), LOCATION: 'Room 2' })));
      expect(await post.message(update)).toMatchObject({ meetingRequestType: 'informationalUpdate' });
      const after = await post.view('2026-02-01', '2026-03-01');
      expect(startsOf(after)).toEqual(ALL.slice(1));
      expect(after[0]).toMatchObject({
        location: { displayName: 'Room 2' },
        responseStatus: { response: 'accepted' },
        showAs: 'busy',
      });
    });

    it('an event that came before its series is opened by its message, answered and still so in the series', async () => {
      const id = await post.send(request(occurrence(10, 1, 14)));
      const { event } = await post.message(id);
      await post.client.api(`/me/events/${event.id}/accept`).post({ sendResponse: false });
      await post.send(request(master(0)));
      const { event: after } = await post.message(id);
      expect(after).toMatchObject({
        type: 'exception',
        responseStatus: { response: 'accepted' },
        start: { dateTime: '2026-02-10T13:00:00.0000000' },
      });
      expect(after.seriesMasterId).toBe((await post.events())[0].id);
    });
  },
  { clockStart: CLOCK_START },
);
