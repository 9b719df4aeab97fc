import { beforeEach, expect, it } from 'vitest';
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

/** Answers to a meeting that the mailbox organizes: carol is invited, dan is not. */

const time = (dateTime: string) => ({ dateTime, timeZone: 'UTC' });
const MEETING = {
  subject: 'Planning',
  start: time('2026-02-03T09:00:00'),
  end: time('2026-02-03T10:00:00'),
  location: { displayName: 'Room 1' },
  attendees: [{ type: 'required', emailAddress: { name: 'Carol', address: CAROL } }],
};

interface Answer {
  readonly method?: 'REPLY' | 'COUNTER';
  readonly attendee: string;
  readonly sequence?: number;
  /** Day in January 2026. */
  readonly day?: string;
  readonly from?: string;
  readonly more?: Properties;
}

const answered = (uid: string, { method = 'REPLY', attendee, sequence = 0, day = '06', from, more }: Answer) => ({
  ...mail(method, {
    UID: uid,
    DTSTAMP: `202601${day}T080000Z`,
    SEQUENCE: String(sequence),
    ORGANIZER: `mailto:${ADA}`,
    ATTENDEE: attendee,
    ...more,
  }),
  ...(from !== undefined && { from }),
});

const carol = (partStat: string, more = ''): string => `;PARTSTAT=${partStat}${more}:mailto:${CAROL}`;
const row = (address: string, response: string) => ({ emailAddress: { address }, status: { response } });
const RESPONSE = '#microsoft.graph.eventMessageResponse';
const ORIGINAL = { 'X-MS-OLK-ORIGINALSTART': '20260203T090000Z', 'X-MS-OLK-ORIGINALEND': '20260203T100000Z' };
const PROPOSED = { DTSTART: '20260203T140000Z', DTEND: '20260203T150000Z', SUMMARY: 'Planning' };
const PROPOSAL = { start: time('2026-02-03T14:00:00.0000000'), end: time('2026-02-03T15:00:00.0000000') };

interface Row {
  readonly title: string;
  readonly answers: readonly Answer[];
  readonly messages: readonly object[];
  readonly attendees: readonly object[];
  /** True if the organizer moves the meeting before the answers arrive. */
  readonly isMoved?: boolean;
}

const plain = (partStat: string, messageType: string, response: string): Row => ({
  title: `PARTSTAT=${partStat} is ${messageType}`,
  answers: [{ attendee: carol(partStat) }],
  messages: [
    {
      '@odata.type': RESPONSE,
      meetingMessageType: messageType,
      responseType: response,
      proposedNewTime: null,
      isOutOfDate: false,
      type: 'singleInstance',
      startDateTime: time('2026-02-03T09:00:00.0000000'),
      event: { subject: 'Planning' },
    },
  ],
  attendees: [row(CAROL, response)],
});

const ROWS: readonly Row[] = [
  plain('ACCEPTED', 'meetingAccepted', 'accepted'),
  plain('TENTATIVE', 'meetingTentativelyAccepted', 'tentativelyAccepted'),
  plain('DECLINED', 'meetingDeclined', 'declined'),
  {
    title: 'PARTSTAT=NEEDS-ACTION is an event message, and no answer',
    answers: [{ attendee: carol('NEEDS-ACTION') }],
    messages: [{ '@odata.type': '#microsoft.graph.eventMessage', meetingMessageType: 'none' }],
    attendees: [row(CAROL, 'none')],
  },
  {
    title: 'PARTSTAT=DELEGATED is an event message, and the delegate has a row',
    answers: [{ attendee: carol('DELEGATED', `;DELEGATED-TO="mailto:${DAN}"`) }],
    messages: [{ '@odata.type': '#microsoft.graph.eventMessage', meetingMessageType: 'none' }],
    attendees: [row(CAROL, 'none'), row(DAN, 'none')],
  },
  {
    title: 'a delegate answers for the own row',
    answers: [
      { attendee: carol('DELEGATED', `;DELEGATED-TO="mailto:${DAN}"`) },
      { attendee: `;PARTSTAT=ACCEPTED;DELEGATED-FROM="mailto:${CAROL}":mailto:${DAN}`, day: '07', from: DAN },
    ],
    messages: [{ meetingMessageType: 'none' }, { meetingMessageType: 'meetingAccepted' }],
    attendees: [row(CAROL, 'none'), row(DAN, 'accepted')],
  },
  {
    title: 'an answer to an earlier SEQUENCE is out of date and changes nothing',
    isMoved: true,
    answers: [{ attendee: carol('ACCEPTED'), sequence: 0 }],
    messages: [{ '@odata.type': RESPONSE, meetingMessageType: 'meetingAccepted', isOutOfDate: true }],
    attendees: [row(CAROL, 'none')],
  },
  {
    title: 'an answer to the present SEQUENCE counts',
    isMoved: true,
    answers: [{ attendee: carol('ACCEPTED'), sequence: 1 }],
    messages: [{ isOutOfDate: false }],
    attendees: [row(CAROL, 'accepted')],
  },
  {
    title: 'an answer that is older than the one that is kept is out of date',
    answers: [
      { attendee: carol('DECLINED'), day: '08' },
      { attendee: carol('ACCEPTED'), day: '07' },
    ],
    messages: [{ isOutOfDate: false }, { meetingMessageType: 'meetingAccepted', isOutOfDate: true }],
    attendees: [row(CAROL, 'declined')],
  },
  {
    title: 'a later answer replaces the one that is kept',
    answers: [
      { attendee: carol('ACCEPTED'), day: '07' },
      { attendee: carol('DECLINED'), day: '08' },
    ],
    messages: [{ isOutOfDate: false }, { isOutOfDate: false }],
    attendees: [row(CAROL, 'declined')],
  },
  {
    title: 'somebody who was not invited is added with the answer',
    answers: [{ attendee: `;CN=Dan;PARTSTAT=ACCEPTED:mailto:${DAN}`, from: DAN }],
    messages: [{ meetingMessageType: 'meetingAccepted' }],
    attendees: [row(CAROL, 'none'), row(DAN, 'accepted')],
  },
  {
    title: 'an answer that somebody sends for the attendee is that of the attendee',
    answers: [{ attendee: carol('ACCEPTED', `;SENT-BY="mailto:${DAN}"`), from: DAN }],
    messages: [{ meetingMessageType: 'meetingAccepted', isDelegated: true, from: { emailAddress: { address: DAN } } }],
    attendees: [row(CAROL, 'accepted')],
  },
  {
    title: 'a row without an address is that of the sender',
    answers: [{ attendee: ';PARTSTAT=ACCEPTED:invalid:nomail' }],
    messages: [{ meetingMessageType: 'meetingAccepted' }],
    attendees: [row(CAROL, 'accepted')],
  },
  {
    title: 'a tentative COUNTER as Exchange sends it has the proposed time',
    answers: [{ method: 'COUNTER', attendee: carol('TENTATIVE'), more: { ...PROPOSED, ...ORIGINAL } }],
    messages: [
      {
        '@odata.type': RESPONSE,
        meetingMessageType: 'meetingTentativelyAccepted',
        proposedNewTime: PROPOSAL,
        startDateTime: time('2026-02-03T09:00:00.0000000'),
      },
    ],
    attendees: [{ ...row(CAROL, 'tentativelyAccepted'), proposedNewTime: PROPOSAL }],
  },
  {
    title: 'a COUNTER that declines as Exchange sends it has the proposed time',
    answers: [{ method: 'COUNTER', attendee: carol('DECLINED'), more: { ...PROPOSED, ...ORIGINAL } }],
    messages: [{ meetingMessageType: 'meetingDeclined', responseType: 'declined', proposedNewTime: PROPOSAL }],
    attendees: [{ ...row(CAROL, 'declined'), proposedNewTime: PROPOSAL }],
  },
  ...['TENTATIVE', 'NEEDS-ACTION', 'ACCEPTED'].map((partStat) => ({
    title: `a COUNTER as Google sends it, with PARTSTAT=${partStat}, is tentative`,
    answers: [{ method: 'COUNTER' as const, attendee: carol(partStat, ';X-NUM-GUESTS=0'), more: PROPOSED }],
    messages: [
      {
        meetingMessageType: 'meetingTentativelyAccepted',
        proposedNewTime: PROPOSAL,
        startDateTime: time('2026-02-03T09:00:00.0000000'),
      },
    ],
    attendees: [{ ...row(CAROL, 'tentativelyAccepted'), proposedNewTime: PROPOSAL }],
  })),
  {
    title: 'an acceptance ends a proposal',
    answers: [
      { method: 'COUNTER', attendee: carol('TENTATIVE'), more: PROPOSED },
      { attendee: carol('ACCEPTED'), day: '07' },
    ],
    messages: [{ proposedNewTime: PROPOSAL }, { proposedNewTime: null }],
    attendees: [row(CAROL, 'accepted')],
  },
];

onAnyStore(
  'answers to a meeting of the mailbox',
  (bench) => {
    let post: Post;
    beforeEach(async () => {
      await bench.jar.reset();
      post = await postOf(bench);
    });

    it.each(ROWS.map((row) => [row.title, row] as const))(
      '%s',
      async (_, { answers, messages, attendees, isMoved = false }) => {
        const { id, uid } = await post.client.api('/me/events').post(MEETING);
        if (isMoved)
          await post.client
            .api(`/me/events/${id}`)
            .patch({ start: time('2026-02-04T09:00:00'), end: time('2026-02-04T10:00:00') });
        const ids = await post.sendAll(answers.map((answer): MeetingMail => answered(uid, answer)));
        const shown = await post.messages(ids);
        for (const [index, expected] of messages.entries()) expect(shown[index]).toMatchObject(expected);
        expect((await post.client.api(`/me/events/${id}`).get()).attendees).toMatchObject(attendees);
      },
    );

    it('an answer to a meeting that is unknown here is a response without an event', async () => {
      const id = await post.send(answered('unknown@fabrikam.example', { attendee: carol('ACCEPTED') }));
      expect(await post.message(id)).toMatchObject({ meetingMessageType: 'meetingAccepted', event: null });
      expect(await post.events()).toEqual([]);
    });

    it('an answer to one occurrence applies only to that occurrence', async () => {
      const { id, uid } = await post.client.api('/me/events').post({
        ...MEETING,
        recurrence: {
          pattern: { type: 'daily', interval: 1 },
          range: { type: 'numbered', startDate: '2026-02-03', numberOfOccurrences: 3 },
        },
      });
      await post.send(answered(uid, { attendee: carol('ACCEPTED') }));
      const one = { attendee: carol('DECLINED'), day: '07', more: { 'RECURRENCE-ID': '20260204T090000Z' } };
      const answer = await post.message(await post.send(answered(uid, one)));
      expect(answer).toMatchObject({ type: 'exception', startDateTime: time('2026-02-04T09:00:00.0000000') });
      const days = await post.view('2026-02-01', '2026-03-01');
      expect(days.map(({ attendees }) => attendees[0].status.response)).toEqual(['accepted', 'declined', 'accepted']);
      expect((await post.client.api(`/me/events/${id}`).get()).attendees).toMatchObject([row(CAROL, 'accepted')]);
    });

    it('a meeting cannot be taken over: a request with another organizer does nothing', async () => {
      const { uid } = await post.client.api('/me/events').post(MEETING);
      const request = mail('REQUEST', {
        UID: uid,
        SEQUENCE: '9',
        DTSTAMP: '20260106T080000Z',
        ...PROPOSED,
        ORGANIZER: `mailto:${DAN}`,
        ATTENDEE: `mailto:${ADA}`,
      });
      const cancel = { ...request, method: 'CANCEL' };
      const [first, second] = await post.messages(await post.sendAll([request, cancel]));
      expect(first).toMatchObject({ meetingMessageType: 'none', event: { subject: 'Planning' } });
      expect(second).toMatchObject({ meetingMessageType: 'meetingCancelled', isOutOfDate: true });
      expect(await post.events()).toMatchObject([{ isOrganizer: true, isCancelled: false, subject: 'Planning' }]);
    });
  },
  { clockStart: CLOCK_START },
);
