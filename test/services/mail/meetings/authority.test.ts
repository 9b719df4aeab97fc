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

const EVENT: Properties = {
  UID: 'review@fabrikam.example',
  DTSTART: '20260203T090000Z',
  DTEND: '20260203T100000Z',
  SUMMARY: 'Review',
  ORGANIZER: `;CN=Carol:mailto:${CAROL}`,
  ATTENDEE: [`;RSVP=TRUE:mailto:${ADA}`, `;RSVP=TRUE:mailto:${DAN}`],
};
const SECRETARY = 'erin@fabrikam.example';
const SERVER = 'noreply@cloud.fabrikam.example';

const version = (sequence: number): Properties => ({
  SEQUENCE: String(sequence),
  DTSTAMP: `2026010${5 + sequence}T080000Z`,
});
const request = (sequence: number, changes: Properties = {}, by: Partial<MeetingMail> = {}): MeetingMail => ({
  ...mail('REQUEST', { ...EVENT, ...version(sequence), SUMMARY: `Review ${sequence}`, ...changes }),
  ...by,
});
const cancel = (sequence: number, changes: Properties = {}, by: Partial<MeetingMail> = {}): MeetingMail => ({
  ...mail('CANCEL', { ...EVENT, ...version(sequence), STATUS: 'CANCELLED', ...changes }),
  ...by,
});

const BY_DAN = { from: `Dan <${DAN}>` };
const OF_DAN: Properties = { ORGANIZER: `:mailto:${DAN}` };
const OF_CALENDAR: Properties = { ORGANIZER: ';CN=Team:mailto:c_1@group.calendar.google.com' };
const REFUSED = { '@odata.type': '#microsoft.graph.eventMessage', meetingMessageType: 'none', isOutOfDate: false };
const REQUESTED = { meetingMessageType: 'meetingRequest', isOutOfDate: false };
const UNCHANGED = [{ subject: 'Review 0', isCancelled: false, organizer: { emailAddress: { address: CAROL } } }];
const CANCELLED = [{ subject: 'Canceled: Review 0', isCancelled: true }];

interface Row {
  readonly title: string;
  readonly mails: readonly MeetingMail[];
  /** Expected properties of the last message. */
  readonly last: object;
  readonly events: readonly object[];
}

const ROWS: readonly Row[] = [
  {
    title: 'an update of another attendee changes nothing',
    mails: [request(0), request(1, {}, BY_DAN)],
    last: { ...REFUSED, event: { subject: 'Review 0' } },
    events: UNCHANGED,
  },
  {
    title: 'a cancellation of another attendee changes nothing',
    mails: [request(0), cancel(1, {}, BY_DAN)],
    last: REFUSED,
    events: UNCHANGED,
  },
  {
    title: 'who calls themselves the organizer of a meeting that is known cannot cancel it',
    mails: [request(0), cancel(1, OF_DAN, BY_DAN)],
    last: REFUSED,
    events: UNCHANGED,
  },
  {
    title: 'who calls themselves the organizer of a meeting that is known cannot change it',
    mails: [request(0), request(1, OF_DAN, BY_DAN)],
    last: REFUSED,
    events: UNCHANGED,
  },
  {
    title: 'an attendee cannot change or add one occurrence',
    mails: [
      request(0, { RRULE: 'FREQ=DAILY;COUNT=3' }),
      request(
        1,
        { 'RECURRENCE-ID': '20260204T090000Z', DTSTART: '20260204T110000Z', DTEND: '20260204T120000Z' },
        BY_DAN,
      ),
    ],
    last: REFUSED,
    events: [{ subject: 'Review 0', type: 'seriesMaster' }],
  },
  {
    title: 'the update of the organizer counts after one that did not',
    mails: [request(0), request(2, {}, BY_DAN), request(1)],
    last: REQUESTED,
    events: [{ subject: 'Review 1' }],
  },
  {
    title: 'a forwarded invitation that the mailbox has is shown as the invitation',
    mails: [request(0), request(0, {}, BY_DAN)],
    last: { ...REQUESTED, meetingRequestType: 'newMeetingRequest' },
    events: UNCHANGED,
  },
  {
    title: 'the organizer can update a meeting whose invitation was forwarded; who forwarded it cannot',
    mails: [request(0, {}, BY_DAN), request(2, {}, BY_DAN), request(1)],
    last: REQUESTED,
    events: [{ subject: 'Review 1' }],
  },
  {
    title: 'a cancellation of somebody else before the invitation is not remembered',
    mails: [cancel(1, {}, BY_DAN), request(0)],
    last: REQUESTED,
    events: UNCHANGED,
  },
  {
    title: 'a cancellation of another organizer before the invitation does not keep that away',
    mails: [cancel(1, OF_DAN, BY_DAN), request(0)],
    last: REQUESTED,
    events: UNCHANGED,
  },
  {
    title: 'the organizer can hand the meeting over',
    mails: [request(0), request(1, OF_DAN), cancel(2, OF_DAN, BY_DAN)],
    last: { meetingMessageType: 'meetingCancelled' },
    events: [{ isCancelled: true, organizer: { emailAddress: { address: DAN } } }],
  },
  {
    title: 'SENT-BY names who cancels for the organizer',
    mails: [
      request(0),
      cancel(1, { ORGANIZER: `;SENT-BY="mailto:${SECRETARY}":mailto:${CAROL}` }, { from: SECRETARY }),
    ],
    last: { meetingMessageType: 'meetingCancelled' },
    events: CANCELLED,
  },
  {
    title: 'SENT-BY of another organizer says nothing',
    mails: [request(0), cancel(1, { ORGANIZER: `;SENT-BY="mailto:${SECRETARY}":mailto:${DAN}` }, { from: SECRETARY })],
    last: REFUSED,
    events: UNCHANGED,
  },
  {
    title: 'X-MS-OLK-SENDER is an older form of SENT-BY',
    mails: [request(0), cancel(1, { 'X-MS-OLK-SENDER': `mailto:${SECRETARY}` }, { from: SECRETARY })],
    last: { meetingMessageType: 'meetingCancelled' },
    events: CANCELLED,
  },
  {
    title: 'a calendar server sends from its own address, with the organizer in Reply-To',
    mails: [request(0, {}, { from: SERVER, replyTo: CAROL }), cancel(1, {}, { from: SERVER, replyTo: CAROL })],
    last: { meetingMessageType: 'meetingCancelled' },
    events: CANCELLED,
  },
  {
    title: 'the organizer may be the sender of mail that is from somebody else',
    mails: [request(0), cancel(1, {}, { from: 'team@fabrikam.example', sender: CAROL })],
    last: { meetingMessageType: 'meetingCancelled' },
    events: CANCELLED,
  },
  {
    title: 'addresses are compared in any case',
    mails: [request(0), cancel(1, {}, { from: 'CAROL@Fabrikam.Example' })],
    last: { meetingMessageType: 'meetingCancelled' },
    events: CANCELLED,
  },
  {
    title: 'who invites for a shared calendar, which sends no mail itself, also cancels',
    mails: [request(0, OF_CALENDAR), cancel(1, OF_CALENDAR)],
    last: { meetingMessageType: 'meetingCancelled' },
    events: CANCELLED,
  },
  {
    title: 'nobody else cancels what a shared calendar has invited to',
    mails: [request(0, OF_CALENDAR), cancel(1, OF_CALENDAR, BY_DAN)],
    last: REFUSED,
    events: [{ subject: 'Review 0', isCancelled: false }],
  },
  {
    title: 'an organizer without an address is whoever sent the invitation',
    mails: [
      request(0, { ORGANIZER: ';CN=Carol:invalid:nomail' }),
      cancel(1, { ORGANIZER: ';CN=Carol:invalid:nomail' }, BY_DAN),
    ],
    last: REFUSED,
    events: [{ subject: 'Review 0', isCancelled: false }],
  },
];

onAnyStore(
  'who may change a meeting by mail',
  (bench) => {
    let post: Post;
    beforeEach(async () => {
      await bench.jar.reset();
      post = await postOf(bench);
    });

    it.each(ROWS.map((row) => [row.title, row] as const))('%s', async (_, { mails, last, events }) => {
      const ids = await post.sendAll(mails);
      expect(await post.message(ids.at(-1) ?? '')).toMatchObject(last);
      const calendar = await post.events();
      expect(calendar).toHaveLength(events.length);
      for (const [index, expected] of events.entries()) expect(calendar[index]).toMatchObject(expected);
    });

    it('a new organizer takes over once the owner of the mailbox has removed the event', async () => {
      await post.send(request(0));
      const [event] = await post.events();
      await post.client.api(`/me/events/${event.id}`).delete();
      const id = await post.send(request(0, OF_DAN, BY_DAN));
      expect(await post.message(id)).toMatchObject({ ...REQUESTED, meetingRequestType: 'newMeetingRequest' });
      expect(await post.events()).toMatchObject([{ organizer: { emailAddress: { address: DAN } } }]);
    });

    it('mail by the control API is held to the same rule', async () => {
      const meeting = { uid: 'review@fabrikam.example', start: '2026-02-03T09:00:00Z' };
      const send = (body: object) =>
        bench.call('POST', '/_jar/mail/send', { token: bench.jar.adminKey, body: { to: 'admin', ...body } });
      await send({ from: CAROL, subject: 'Review', meeting });
      const cancellation = { ...meeting, sequence: 1, isCancelled: true };
      await send({ from: DAN, subject: 'Review', meeting: { ...cancellation, organizer: CAROL } });
      expect(await post.events()).toMatchObject([{ isCancelled: false }]);
      await send({ subject: 'Review', meeting: { ...cancellation, organizer: CAROL } });
      expect(await post.events()).toMatchObject([{ isCancelled: true }]);
    });
  },
  { clockStart: CLOCK_START },
);
