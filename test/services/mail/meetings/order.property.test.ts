import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { ADA, CLOCK_START, type MeetingMail, mail, type Post, type Properties, postOf } from './arrivals.ts';

const RUNS = process.env.CLOUDJAR_SOAK === '1' ? 100 : 10;

const two = (value: number): string => String(value).padStart(2, '0');

/** One mail of an organizer. Each is newer than the one before, by SEQUENCE or only by DTSTAMP. */
interface Step {
  readonly kind: 'whole' | 'occurrence' | 'cancelWhole' | 'cancelOccurrence';
  readonly isCritical: boolean;
  /** Selects one of the four occurrences. */
  readonly week: number;
  readonly hour: number;
  readonly room: number;
  /** Occurrences that a request for the whole series excludes. */
  readonly excluded: readonly number[];
}

const step = (kinds: readonly Step['kind'][]): fc.Arbitrary<Step> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    isCritical: fc.boolean(),
    week: fc.integer({ min: 0, max: 3 }),
    hour: fc.integer({ min: 9, max: 12 }),
    room: fc.integer({ min: 1, max: 3 }),
    excluded: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 1 }),
  });

const EVENT: Properties = {
  UID: 'orders@fabrikam.example',
  SUMMARY: 'Orders',
  ORGANIZER: 'mailto:carol@fabrikam.example',
  ATTENDEE: `;RSVP=TRUE:mailto:${ADA}`,
};

const slot = (week: number, hour: number): string => `202602${two(3 + 7 * week)}T${two(hour)}0000Z`;

/**
 * Mails of an organizer that conforms to RFC 5546: SEQUENCE increases with new times, and an occurrence has at least that of its series.
 */
function mailsOf(steps: readonly Step[], isSeries: boolean): readonly MeetingMail[] {
  let sequence = 0;
  let hour = 9;
  return steps.map(({ kind, isCritical, week, room, excluded, hour: to }, index) => {
    const isWhole = kind === 'whole' || kind === 'cancelWhole';
    if (isCritical || kind !== 'whole') sequence += index === 0 ? 0 : 1;
    if (kind === 'whole' && isCritical) hour = to;
    const at = isWhole ? 0 : week;
    const start = kind === 'occurrence' ? to : hour;
    const event: Properties = {
      ...EVENT,
      SEQUENCE: String(sequence),
      DTSTAMP: `20260105T0800${two(index)}Z`,
      DTSTART: slot(at, start),
      DTEND: slot(at, start + 1),
      LOCATION: `Room ${room}`,
      RRULE: isSeries && isWhole ? 'FREQ=WEEKLY;COUNT=4' : undefined,
      EXDATE: isSeries && kind === 'whole' ? excluded.map((each) => slot(each, hour)) : undefined,
      'RECURRENCE-ID': isWhole ? undefined : slot(week, hour),
      STATUS: kind.startsWith('cancel') ? 'CANCELLED' : undefined,
    };
    return mail(kind.startsWith('cancel') ? 'CANCEL' : 'REQUEST', event);
  });
}

/** The events that take place. A cancelled event counts as none, since a cancellation that arrives first creates none. */
async function stateAfter(post: Post, mails: readonly MeetingMail[]): Promise<readonly object[]> {
  await post.sendAll(mails);
  const view = await post.view('2026-01-01', '2027-01-01');
  return view
    .filter(({ isCancelled }) => !isCancelled)
    .map(({ subject, start, end, location, isAllDay, showAs, responseStatus }) => ({
      subject,
      start,
      end,
      location: location.displayName,
      isAllDay,
      showAs,
      response: responseStatus.response,
    }));
}

const orders = (kinds: readonly Step['kind'][], most: number): fc.Arbitrary<readonly [Step[], number[]]> =>
  fc
    .array(step(kinds), { minLength: 2, maxLength: most })
    .map((steps): Step[] => steps.map((each, index) => (index === 0 ? { ...each, kind: 'whole' } : each)))
    .chain((steps) =>
      fc.tuple(
        fc.constant(steps),
        fc.shuffledSubarray([...steps.keys()], { minLength: steps.length, maxLength: steps.length }),
      ),
    );

onBothStores(
  'the order in which mails about a meeting arrive',
  (bench) => {
    const holds = (kinds: readonly Step['kind'][], most: number, isSeries: boolean) =>
      fc.assert(
        fc.asyncProperty(orders(kinds, most), async ([steps, order]) => {
          const mails = mailsOf(steps, isSeries);
          await bench.jar.reset();
          const expected = await stateAfter(await postOf(bench), mails);
          await bench.jar.reset();
          const shuffled = order.flatMap((index) => mails[index] ?? []);
          expect(await stateAfter(await postOf(bench), shuffled)).toEqual(expected);
        }),
        { numRuns: RUNS },
      );

    it('does not matter for a single event: requests and cancellations', () =>
      holds(['whole', 'cancelWhole'], 5, false));

    it('does not matter for a series: requests, exceptions and cancellations of the whole and of occurrences', () =>
      holds(['whole', 'occurrence', 'cancelOccurrence', 'cancelWhole'], 5, true));
  },
  { clockStart: CLOCK_START },
);
