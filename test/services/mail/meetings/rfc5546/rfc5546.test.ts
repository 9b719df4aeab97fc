import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../../support/jars.ts';
import { ADA, CLOCK_START, mail, type Post, postOf, startsOf } from '../arrivals.ts';
import { GUESTS } from './examples.ts';
import { INVITED_TO_GROUP_EVENTS, ORGANIZED_GROUP_EVENTS } from './group-events.ts';
import { INVITED_TO_RECURRING_EVENTS, ORGANIZED_RECURRING_EVENTS } from './recurring-events.ts';

const OWN = {
  subject: 'Conference',
  start: { dateTime: '1997-07-01T20:00:00', timeZone: 'UTC' },
  end: { dateTime: '1997-07-01T21:00:00', timeZone: 'UTC' },
  attendees: GUESTS.map((letter) => ({
    type: 'required',
    emailAddress: { name: letter.toUpperCase(), address: `${letter}@example.com` },
  })),
};
const MONTHLY = {
  pattern: { type: 'absoluteMonthly', interval: 1, dayOfMonth: 1 },
  range: { type: 'endDate', startDate: '1997-07-01', endDate: '1998-09-01' },
};

const titled = <Row extends { readonly section: string }>(rows: readonly Row[]) =>
  rows.map((row) => [row.section, row] as const);

onAnyStore(
  'the examples of RFC 5546',
  (bench) => {
    let post: Post;
    beforeEach(async () => {
      await bench.jar.reset();
      post = await postOf(bench);
    });

    describe('as an attendee', () => {
      it.each(titled([...INVITED_TO_GROUP_EVENTS, ...INVITED_TO_RECURRING_EVENTS]))(
        '%s',
        async (_, { mails, messages, starts, cancelled = [], events }) => {
          const shown = await post.messages(
            await post.sendAll(mails.map((each) => ({ from: 'a@example.com', ...each }))),
          );
          for (const [index, expected] of messages.entries()) expect(shown[index]).toMatchObject(expected);
          const view = await post.view('1997-01-01', '1999-01-01');
          expect(startsOf(view.filter(({ isCancelled }) => !isCancelled))).toEqual(starts);
          expect(startsOf(view.filter(({ isCancelled }) => isCancelled))).toEqual(cancelled);
          const sorted = (await post.events()).toSorted((a, b) => (a.start.dateTime < b.start.dateTime ? -1 : 1));
          for (const [index, expected] of (events ?? []).entries()) expect(sorted[index]).toMatchObject(expected);
        },
      );
    });

    describe('as the organizer', () => {
      it.each(titled([...ORGANIZED_GROUP_EVENTS, ...ORGANIZED_RECURRING_EVENTS]))(
        '%s',
        async (_, { isRecurring, method, from, properties, message, responses }) => {
          const { uid } = await post.client
            .api('/me/events')
            .post({ ...OWN, ...(isRecurring && { recurrence: MONTHLY }) });
          const common = { UID: uid, SEQUENCE: '0', DTSTAMP: '20260106T190000Z', ORGANIZER: `mailto:${ADA}` };
          const id = await post.send({ ...mail(method, { ...common, ...properties }), from });
          expect(await post.message(id)).toMatchObject(message);
          const [first] = await post.view('1997-01-01', '1999-01-01');
          const rows = first.attendees.map(
            (each: { emailAddress: { address: string }; status: { response: string } }) => [
              each.emailAddress.address.replace(/@.*/, ''),
              each.status.response,
            ],
          );
          expect(Object.fromEntries(rows)).toEqual(responses);
        },
      );
    });
  },
  { clockStart: CLOCK_START },
);
