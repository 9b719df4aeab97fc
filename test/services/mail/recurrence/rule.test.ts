import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRule, writeRule } from '../../../../src/services/mail/recurrence/rule.ts';
import type { Rule } from '../../../../src/services/mail/recurrence/types.ts';
import { wall } from './series.ts';

describe('a rule', () => {
  test.each([
    ['FREQ=DAILY', 'FREQ=DAILY'],
    ['RRULE:FREQ=DAILY;INTERVAL=1', 'FREQ=DAILY'],
    ['freq=weekly;byday=mo,we;wkst=su', 'FREQ=WEEKLY;BYDAY=MO,WE;WKST=SU'],
    ['FREQ=WEEKLY;BYDAY=MO;', 'FREQ=WEEKLY;BYDAY=MO'],
    ['FREQ=MONTHLY;BYDAY=+1FR,-1SU,1FR', 'FREQ=MONTHLY;BYDAY=-1SU,1FR'],
    ['INTERVAL=2;FREQ=MONTHLY;BYMONTHDAY=15,-1,15', 'FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-1,15'],
    ['FREQ=YEARLY;UNTIL=20261231T090000Z', 'FREQ=YEARLY;UNTIL=20261231T090000Z'],
    ['FREQ=YEARLY;UNTIL=20261231T090000', 'FREQ=YEARLY;UNTIL=20261231T090000'],
    ['FREQ=YEARLY;UNTIL=20261231', 'FREQ=YEARLY;UNTIL=20261231'],
    ['FREQ=DAILY;COUNT=5;UNTIL=20261231', 'FREQ=DAILY;COUNT=5;UNTIL=20261231'],
    ['FREQ=DAILY;BYHOUR=9;BYMINUTE=0,30;BYSECOND=0', 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0,30;BYSECOND=0'],
    ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO'],
    ['FREQ=YEARLY;BYYEARDAY=-1,1;BYSETPOS=1', 'FREQ=YEARLY;BYYEARDAY=-1,1;BYSETPOS=1'],
    ['RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=OMIT', 'FREQ=YEARLY'],
    ['FREQ=DAILY;X-NAME=1', 'FREQ=DAILY'],
  ])('%s is read and written', (text, written) => {
    const rule = parseRule(text);
    expect(rule && writeRule(rule)).toBe(written);
  });

  test('UNTIL is a moment, a day or a local time', () => {
    expect(parseRule('FREQ=DAILY;UNTIL=20261231T090000Z')?.until).toEqual({
      kind: 'utc',
      at: wall('2026-12-31T09:00:00'),
    });
    expect(parseRule('FREQ=DAILY;UNTIL=20261231T090000')?.until).toEqual({
      kind: 'local',
      wall: wall('2026-12-31T09:00:00'),
    });
    expect(parseRule('FREQ=DAILY;UNTIL=20261231')?.until).toEqual({ kind: 'date', day: wall('2026-12-31') });
  });

  test.each([
    ['nothing', ''],
    ['no frequency', 'INTERVAL=2'],
    ['an unknown frequency', 'FREQ=FORTNIGHTLY'],
    ['an unknown part', 'FREQ=DAILY;BYMOON=1'],
    ['a part twice', 'FREQ=DAILY;COUNT=1;COUNT=2'],
    ['a part without a value', 'FREQ=DAILY;COUNT='],
    ['two values in one part', 'FREQ=DAILY=WEEKLY'],
    ['an interval of nothing', 'FREQ=DAILY;INTERVAL=0'],
    ['a negative interval', 'FREQ=DAILY;INTERVAL=-1'],
    ['an interval that is no number', 'FREQ=DAILY;INTERVAL=1e3'],
    ['an interval that is too large', 'FREQ=DAILY;INTERVAL=99999999999'],
    ['a count of nothing', 'FREQ=DAILY;COUNT=0'],
    ['a day that does not exist', 'FREQ=DAILY;UNTIL=20260230'],
    ['an hour that does not exist', 'FREQ=DAILY;UNTIL=20260201T250000Z'],
    ['a month of 13', 'FREQ=YEARLY;BYMONTH=13'],
    ['a month of 0', 'FREQ=YEARLY;BYMONTH=0'],
    ['day 0 of a month', 'FREQ=MONTHLY;BYMONTHDAY=0'],
    ['day 32 of a month', 'FREQ=MONTHLY;BYMONTHDAY=32'],
    ['hour 24', 'FREQ=DAILY;BYHOUR=24'],
    ['a position of 0', 'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0'],
    ['a position without a set', 'FREQ=MONTHLY;BYSETPOS=1'],
    ['an ordinal of 0', 'FREQ=MONTHLY;BYDAY=0MO'],
    ['an ordinal of 54', 'FREQ=YEARLY;BYDAY=54MO'],
    ['an ordinal in a weekly rule', 'FREQ=WEEKLY;BYDAY=1MO'],
    ['an ordinal beside week numbers', 'FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO'],
    ['week numbers in a monthly rule', 'FREQ=MONTHLY;BYWEEKNO=1'],
    ['days of the year in a monthly rule', 'FREQ=MONTHLY;BYYEARDAY=1'],
    ['days of the month in a weekly rule', 'FREQ=WEEKLY;BYMONTHDAY=1'],
    ['an unknown weekday', 'FREQ=WEEKLY;BYDAY=XX'],
    ['an unknown start of the week', 'FREQ=WEEKLY;WKST=XX'],
    ['another calendar', 'RSCALE=HEBREW;FREQ=YEARLY'],
    ['a text of a megabyte', `FREQ=DAILY;BYHOUR=${'1,'.repeat(500_000)}1`],
  ])('with %s is refused', (_title, text) => {
    expect(parseRule(text)).toBeUndefined();
  });

  test('the parser throws for no text, and a parsed rule survives writing and parsing', () => {
    const parts = fc.constantFrom(
      'FREQ',
      'COUNT',
      'UNTIL',
      'BYDAY',
      'BYMONTH',
      'BYSETPOS',
      'INTERVAL',
      'WKST',
      'BYHOUR',
    );
    const values = fc.oneof(
      fc.string(),
      fc.constantFrom('DAILY', 'MONTHLY', 'MO', '1', '-1', '1,2', '20260101', '2MO,3TU'),
    );
    const text = fc
      .array(fc.tuple(parts, values))
      .map((pairs) => ['FREQ=YEARLY', ...pairs.map((pair) => pair.join('='))].join(';'));
    fc.assert(
      fc.property(fc.oneof(fc.string(), text), (candidate) => {
        const rule = parseRule(candidate);
        if (rule) expect(parseRule(writeRule(rule))).toEqual(rule);
      }),
    );
  });

  test('of any shape survives writing and parsing', () => {
    const list = (lowest: number, highest: number): fc.Arbitrary<number[]> =>
      fc
        .uniqueArray(
          fc.integer({ min: lowest, max: highest }).filter((value) => value !== 0 || lowest === 0),
          { maxLength: 6 },
        )
        .map((values) => values.sort((a, b) => a - b));
    const at = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1000);
    const weekday = fc.constantFrom<0 | 1 | 2 | 3 | 4 | 5 | 6>(0, 1, 2, 3, 4, 5, 6);
    const rule: fc.Arbitrary<Rule> = fc.record(
      {
        frequency: fc.constant('YEARLY' as const),
        interval: fc.integer({ min: 1, max: 1000 }),
        count: fc.integer({ min: 1, max: 1000 }),
        until: fc.oneof(
          at.map((moment) => ({ kind: 'utc' as const, at: moment })),
          at.map((moment) => ({ kind: 'local' as const, wall: moment })),
          at.map((moment) => ({ kind: 'date' as const, day: moment - (moment % 86_400_000) })),
        ),
        weekStart: weekday,
        bySecond: list(0, 59),
        byMinute: list(0, 59),
        byHour: list(0, 23),
        byDay: fc
          .uniqueArray(fc.record({ weekday, ordinal: fc.integer({ min: -53, max: 53 }) }), {
            selector: ({ weekday: day, ordinal }) => `${day} ${ordinal}`,
            minLength: 1,
          })
          .map((days) => days.sort((a, b) => a.ordinal - b.ordinal || a.weekday - b.weekday)),
        byMonthDay: list(-31, 31),
        byYearDay: list(-366, 366),
        byWeekNo: fc.constant([]),
        byMonth: list(1, 12),
        bySetPos: list(-366, 366),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(rule, (given) => {
        expect(parseRule(writeRule(given))).toEqual(given);
      }),
    );
  });
});
