import { describe, expect, test } from 'vitest';
import { formatDate, formatWall } from '../../../../src/services/mail/zones/wall.ts';
import { series, take, wall } from './series.ts';

/** `1997 Sep 2 9, Oct 1`: a year, month or day applies until the next one. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const days = (text: string): string[] => {
  let [year, month] = ['', ''];
  const found: string[] = [];
  for (const word of text.split(/[\s,;]+/)) {
    const number = MONTHS.indexOf(word) + 1;
    if (number > 0) month = String(number).padStart(2, '0');
    else if (word.length === 4) year = word;
    else found.push(`${year}-${month}-${word.padStart(2, '0')}`);
  }
  return found;
};

const SEPTEMBER_2 = '1997-09-02T09:00:00';

/** Section 3.8.5.3: title, DTSTART, rule, the days at 09:00, and whether the rule ends there. */
const EXAMPLES: readonly (readonly [title: string, start: string, rule: string, days: string, ends: boolean])[] = [
  ['daily for 10 occurrences', SEPTEMBER_2, 'FREQ=DAILY;COUNT=10', '1997 Sep 2 3 4 5 6 7 8 9 10 11', true],
  [
    'every other day',
    SEPTEMBER_2,
    'FREQ=DAILY;INTERVAL=2',
    '1997 Sep 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 Oct 2 4',
    false,
  ],
  ['every 10 days, 5 occurrences', SEPTEMBER_2, 'FREQ=DAILY;INTERVAL=10;COUNT=5', '1997 Sep 2 12 22 Oct 2 12', true],
  [
    'weekly for 10 occurrences',
    SEPTEMBER_2,
    'FREQ=WEEKLY;COUNT=10',
    '1997 Sep 2 9 16 23 30 Oct 7 14 21 28 Nov 4',
    true,
  ],
  [
    'weekly until 24 December 1997',
    SEPTEMBER_2,
    'FREQ=WEEKLY;UNTIL=19971224T000000Z',
    '1997 Sep 2 9 16 23 30 Oct 7 14 21 28 Nov 4 11 18 25 Dec 2 9 16 23',
    true,
  ],
  [
    'every other week',
    SEPTEMBER_2,
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU',
    '1997 Sep 2 16 30 Oct 14 28 Nov 11 25 Dec 9 23 1998 Jan 6 20 Feb 3 17',
    false,
  ],
  [
    'weekly on Tuesday and Thursday for five weeks, by UNTIL',
    SEPTEMBER_2,
    'FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH',
    '1997 Sep 2 4 9 11 16 18 23 25 30 Oct 2',
    true,
  ],
  [
    'weekly on Tuesday and Thursday for five weeks, by COUNT',
    SEPTEMBER_2,
    'FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH',
    '1997 Sep 2 4 9 11 16 18 23 25 30 Oct 2',
    true,
  ],
  [
    'every other week on Monday, Wednesday and Friday until 24 December 1997',
    '1997-09-01T09:00:00',
    'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
    '1997 Sep 1 3 5 15 17 19 29 Oct 1 3 13 15 17 27 29 31 Nov 10 12 14 24 26 28 Dec 8 10 12 22',
    true,
  ],
  [
    'every other week on Tuesday and Thursday, 8 occurrences',
    SEPTEMBER_2,
    'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH',
    '1997 Sep 2 4 16 18 30 Oct 2 14 16',
    true,
  ],
  [
    'monthly on the first Friday, 10 occurrences',
    '1997-09-05T09:00:00',
    'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
    '1997 Sep 5 Oct 3 Nov 7 Dec 5 1998 Jan 2 Feb 6 Mar 6 Apr 3 May 1 Jun 5',
    true,
  ],
  [
    'monthly on the first Friday until 24 December 1997',
    '1997-09-05T09:00:00',
    'FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR',
    '1997 Sep 5 Oct 3 Nov 7 Dec 5',
    true,
  ],
  [
    'every other month on the first and last Sunday, 10 occurrences',
    '1997-09-07T09:00:00',
    'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
    '1997 Sep 7 28 Nov 2 30 1998 Jan 4 25 Mar 1 29 May 3 31',
    true,
  ],
  [
    'monthly on the second-to-last Monday for 6 months',
    '1997-09-22T09:00:00',
    'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO',
    '1997 Sep 22 Oct 20 Nov 17 Dec 22 1998 Jan 19 Feb 16',
    true,
  ],
  [
    'monthly on the third-to-last day',
    '1997-09-28T09:00:00',
    'FREQ=MONTHLY;BYMONTHDAY=-3',
    '1997 Sep 28 Oct 29 Nov 28 Dec 29 1998 Jan 29 Feb 26',
    false,
  ],
  [
    'monthly on the 2nd and 15th, 10 occurrences',
    SEPTEMBER_2,
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15',
    '1997 Sep 2 15 Oct 2 15 Nov 2 15 Dec 2 15 1998 Jan 2 15',
    true,
  ],
  [
    'monthly on the first and last day, 10 occurrences',
    '1997-09-30T09:00:00',
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
    '1997 Sep 30 Oct 1 31 Nov 1 30 Dec 1 31 1998 Jan 1 31 Feb 1',
    true,
  ],
  [
    'every 18 months on the 10th to 15th, 10 occurrences',
    '1997-09-10T09:00:00',
    'FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15',
    '1997 Sep 10 11 12 13 14 15 1999 Mar 10 11 12 13',
    true,
  ],
  [
    'every Tuesday, every other month',
    SEPTEMBER_2,
    'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU',
    '1997 Sep 2 9 16 23 30 Nov 4 11 18 25 1998 Jan 6 13 20 27 Mar 3 10 17 24 31',
    false,
  ],
  [
    'yearly in June and July, 10 occurrences',
    '1997-06-10T09:00:00',
    'FREQ=YEARLY;COUNT=10;BYMONTH=6,7',
    '1997 Jun 10 Jul 10 1998 Jun 10 Jul 10 1999 Jun 10 Jul 10 2000 Jun 10 Jul 10 2001 Jun 10 Jul 10',
    true,
  ],
  [
    'every other year in January, February and March, 10 occurrences',
    '1997-03-10T09:00:00',
    'FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3',
    '1997 Mar 10 1999 Jan 10 Feb 10 Mar 10 2001 Jan 10 Feb 10 Mar 10 2003 Jan 10 Feb 10 Mar 10',
    true,
  ],
  [
    'every third year on the 1st, 100th and 200th day, 10 occurrences',
    '1997-01-01T09:00:00',
    'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
    '1997 Jan 1 Apr 10 Jul 19 2000 Jan 1 Apr 9 Jul 18 2003 Jan 1 Apr 10 Jul 19 2006 Jan 1',
    true,
  ],
  [
    'every 20th Monday of the year',
    '1997-05-19T09:00:00',
    'FREQ=YEARLY;BYDAY=20MO',
    '1997 May 19 1998 May 18 1999 May 17',
    false,
  ],
  [
    'Monday of week 20',
    '1997-05-12T09:00:00',
    'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO',
    '1997 May 12 1998 May 11 1999 May 17',
    false,
  ],
  [
    'every Thursday in March',
    '1997-03-13T09:00:00',
    'FREQ=YEARLY;BYMONTH=3;BYDAY=TH',
    '1997 Mar 13 20 27 1998 Mar 5 12 19 26 1999 Mar 4 11 18 25',
    false,
  ],
  [
    'every Thursday in June, July and August',
    '1997-06-05T09:00:00',
    'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8',
    '1997 Jun 5 12 19 26 Jul 3 10 17 24 31 Aug 7 14 21 28 1998 Jun 4 11 18 25 Jul 2 9 16 23 30 Aug 6 13 20 27 1999 Jun 3 10 17 24 Jul 1 8 15 22 29 Aug 5 12 19 26',
    false,
  ],
  [
    'the first Saturday after the first Sunday of a month',
    '1997-09-13T09:00:00',
    'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
    '1997 Sep 13 Oct 11 Nov 8 Dec 13 1998 Jan 10 Feb 7 Mar 7 Apr 11 May 9 Jun 13',
    false,
  ],
  [
    'every four years on the Tuesday after a Monday in November',
    '1996-11-05T09:00:00',
    'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
    '1996 Nov 5 2000 Nov 7 2004 Nov 2',
    false,
  ],
  [
    'the third of Tuesday, Wednesday and Thursday for 3 months',
    '1997-09-04T09:00:00',
    'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3',
    '1997 Sep 4 Oct 7 Nov 6',
    true,
  ],
  [
    'the second-to-last weekday of the month',
    '1997-09-29T09:00:00',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
    '1997 Sep 29 Oct 30 Nov 27 Dec 30 1998 Jan 29 Feb 26 Mar 30',
    false,
  ],
  [
    'weeks that begin on Monday',
    '1997-08-05T09:00:00',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO',
    '1997 Aug 5 10 19 24',
    true,
  ],
  [
    'weeks that begin on Sunday',
    '1997-08-05T09:00:00',
    'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU',
    '1997 Aug 5 17 19 31',
    true,
  ],
  [
    'days that a month lacks are skipped',
    '2007-01-15T09:00:00',
    'FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5',
    '2007 Jan 15 30 Feb 15 Mar 15 30',
    true,
  ],
];

describe('the examples of RFC 5545, section 3.8.5.3', () => {
  test.each(EXAMPLES)('%s', (_title, start, rule, text, ends) => {
    const expected = days(text);
    const found = take(series(start, rule), expected.length + 1);
    expect(found.slice(0, expected.length).map(formatDate)).toEqual(expected);
    expect(found.every((at) => formatWall(at).slice(11, 16) === '09:00')).toBe(true);
    expect(found.length).toBe(ends ? expected.length : expected.length + 1);
  });

  test('daily until 24 December 1997 ends on the 23rd, over the end of daylight saving time', () => {
    const found = take(series(SEPTEMBER_2, 'FREQ=DAILY;UNTIL=19971224T000000Z'), 1000);
    expect(found).toHaveLength(113);
    expect(found.map(formatDate).at(-1)).toBe('1997-12-23');
  });

  test.each([
    'FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA',
    'FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1',
  ])('every day in January for three years: %s', (rule) => {
    const found = take(series('1998-01-01T09:00:00', rule), 1000).map(formatDate);
    const january = (year: number): string[] =>
      Array.from({ length: 31 }, (_, day) => `${year}-01-${String(day + 1).padStart(2, '0')}`);
    expect(found).toEqual([1998, 1999, 2000].flatMap(january));
  });

  test('every Friday the 13th leaves DTSTART out, since an EXDATE says so', () => {
    const friday = series(SEPTEMBER_2, 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', { exDates: [wall(SEPTEMBER_2)] });
    expect(take(friday, 5).map(formatDate)).toEqual(days('1998 Feb 13 Mar 13 Nov 13 1999 Aug 13 2000 Oct 13'));
  });

  const times = (rule: string, count: number): string[] =>
    take(series(SEPTEMBER_2, rule), count).map((at) => formatWall(at).slice(11, 16));

  test('every 3 hours from 9 to 17 o’clock; the end of the text is 13 o’clock in New York (erratum 3883)', () => {
    expect(times('FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z', 10)).toEqual(['09:00', '12:00']);
    expect(times('FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z', 10)).toEqual(['09:00', '12:00', '15:00']);
  });

  test('every 15 minutes for 6 occurrences, every 90 minutes for 4', () => {
    expect(times('FREQ=MINUTELY;INTERVAL=15;COUNT=6', 10)).toEqual([
      '09:00',
      '09:15',
      '09:30',
      '09:45',
      '10:00',
      '10:15',
    ]);
    expect(times('FREQ=MINUTELY;INTERVAL=90;COUNT=4', 10)).toEqual(['09:00', '10:30', '12:00', '13:30']);
  });

  test('every 20 minutes from 9:00 to 16:40 is the same by days and by minutes', () => {
    const hours = 'BYHOUR=9,10,11,12,13,14,15,16';
    const byDay = take(series(SEPTEMBER_2, `FREQ=DAILY;${hours};BYMINUTE=0,20,40`), 100);
    const byMinute = take(series(SEPTEMBER_2, `FREQ=MINUTELY;INTERVAL=20;${hours}`), 100);
    expect(byDay).toEqual(byMinute);
    const first = byDay.slice(0, 25).map((at) => formatWall(at).slice(8, 16));
    expect([first[0], first[1], first[23], first[24]]).toEqual(['02T09:00', '02T09:20', '02T16:40', '03T09:00']);
  });

  test('section 3.3.10: Sundays in January of every other year at 8:30 and 9:30', () => {
    const of = series('1997-01-05T08:30:00', 'FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=SU;BYHOUR=8,9;BYMINUTE=30');
    const found = take(of, 10).map((at) => formatWall(at).slice(0, 16));
    expect(found.slice(0, 3)).toEqual(['1997-01-05T08:30', '1997-01-05T09:30', '1997-01-12T08:30']);
    expect(found.slice(8)).toEqual(['1999-01-03T08:30', '1999-01-03T09:30']);
  });
});
