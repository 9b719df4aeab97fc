import fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { CUSTOM_ZONE, ianaZones, windowsName } from '../../../../src/services/mail/zones/names.ts';
import { type Observance, vtimezoneOf, zoneOfVtimezone } from '../../../../src/services/mail/zones/vtimezone.ts';
import { isZone, offsetAt, toWall } from '../../../../src/services/mail/zones/zone.ts';
import { wall } from '../recurrence/series.ts';

const HOUR = 3_600_000;
const AROUND = wall('2025-06-15T12:00:00');

const observance = (
  from: number,
  to: number,
  start: string,
  rule?: string,
  dates: readonly string[] = [],
): Observance => ({
  offsetFrom: from * HOUR,
  offsetTo: to * HOUR,
  start: wall(start),
  ...(rule !== undefined && { rule }),
  dates: dates.map(wall),
  isDaylight: to > from,
});

/** Outlook's rules for central Europe start in the year 1601. */
const OUTLOOK_BERLIN = [
  observance(2, 1, '1601-10-28T03:00:00', 'FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'),
  observance(1, 2, '1601-03-25T02:00:00', 'FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3'),
];

const NEW_YORK_HISTORY = [
  observance(-5, -4, '1987-04-05T02:00:00', 'FREQ=YEARLY;UNTIL=20060402T070000Z;BYMONTH=4;BYDAY=1SU'),
  observance(-4, -5, '1967-10-29T02:00:00', 'FREQ=YEARLY;UNTIL=20061029T060000Z;BYMONTH=10;BYDAY=-1SU'),
  observance(-5, -4, '2007-03-11T02:00:00', 'FREQ=YEARLY;BYMONTH=3;BYDAY=2SU'),
  observance(-4, -5, '2007-11-04T02:00:00', 'FREQ=YEARLY;BYMONTH=11;BYDAY=1SU'),
];

const sameOffsets = (a: string, b: string, year: number): void => {
  for (let at = Date.UTC(year, 0); at < Date.UTC(year + 1, 0); at += 6 * HOUR) {
    expect(offsetAt(a, at), `${a} ${b} ${new Date(at).toISOString()}`).toBe(offsetAt(b, at));
  }
};

describe('the zone of a VTIMEZONE', () => {
  test.each([
    ['an IANA name wins over the body', 'Asia/Tokyo', OUTLOOK_BERLIN, 'Asia/Tokyo'],
    ['a Windows name', 'W. Europe Standard Time', OUTLOOK_BERLIN, 'Europe/Berlin'],
    ['a name without a body', 'Eastern Standard Time', [], 'America/New_York'],
    ['a display text', '(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', OUTLOOK_BERLIN, 'Europe/Berlin'],
    ['a prefixed name', '/mozilla.org/20050126_1/Europe/Berlin', OUTLOOK_BERLIN, 'Europe/Berlin'],
    ['rules of central Europe', 'Customized Time Zone', OUTLOOK_BERLIN, 'Europe/Berlin'],
    ['rules of New York with their history', 'My Zone', NEW_YORK_HISTORY, 'America/New_York'],
    ['one offset', 'Japan', [observance(9, 9, '1970-01-01T00:00:00')], 'Asia/Tokyo'],
    ['one offset under an unknown name', 'Nippon', [observance(9, 9, '1970-01-01T00:00:00')], 'Asia/Tokyo'],
  ] as const)('%s', (_title, tzid, observances, zone) => {
    const found = zoneOfVtimezone(tzid, observances, AROUND);
    expect(isZone(found ?? '')).toBe(true);
    sameOffsets(found ?? '', zone, 2025);
  });

  test.each([
    [
      'the Pacific coast',
      -8,
      -7,
      'FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
      'FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
      [2, 2],
      'America/Los_Angeles',
    ],
    [
      'New York',
      -5,
      -4,
      'FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
      'FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
      [2, 2],
      'America/New_York',
    ],
    ['London', 0, 1, 'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU', [1, 2], 'Europe/London'],
    [
      'Sydney',
      10,
      11,
      'FREQ=YEARLY;BYMONTH=10;BYDAY=1SU',
      'FREQ=YEARLY;BYMONTH=4;BYDAY=1SU',
      [2, 3],
      'Australia/Sydney',
    ],
  ])(
    'of several zones with the rules of %s, the best known is found',
    (_title, standard, daylight, begin, end, hours, zone) => {
      const observances = [
        observance(standard, daylight, `1601-01-01T0${hours[0]}:00:00`, begin),
        observance(daylight, standard, `1601-01-01T0${hours[1]}:00:00`, end),
      ];
      expect(zoneOfVtimezone('Customized Time Zone', observances, AROUND)).toBe(zone);
    },
  );

  test('other names of the zone help', () => {
    expect(zoneOfVtimezone('Customized Time Zone', OUTLOOK_BERLIN, AROUND, ['nothing', 'Europe/Vienna'])).toBe(
      'Europe/Vienna',
    );
  });

  test('without names and observances there is none', () => {
    expect(zoneOfVtimezone('Customized Time Zone', [], AROUND)).toBeUndefined();
  });

  test('rules that no country has become a custom zone with the same changes, in years to come too', () => {
    const odd = [
      observance(1.25, 2.25, '1990-05-10T01:00:00', 'FREQ=YEARLY;BYMONTH=5;BYDAY=2TH'),
      observance(2.25, 1.25, '1990-09-01T01:00:00', 'FREQ=YEARLY;BYMONTH=9;BYMONTHDAY=23,24,25,26,27,28,29;BYDAY=FR'),
    ];
    const zone = zoneOfVtimezone('Odd', odd, AROUND) ?? '';
    expect(windowsName(zone)).toBe(CUSTOM_ZONE);
    // Second Thursday of May and the Friday from the 23rd on in September 2030: the 9th and the 27th.
    expect(toWall(zone, wall('2030-05-08T23:44:59'))).toBe(wall('2030-05-09T00:59:59'));
    expect(toWall(zone, wall('2030-05-08T23:45:00'))).toBe(wall('2030-05-09T02:00:00'));
    expect(toWall(zone, wall('2030-09-26T22:44:59'))).toBe(wall('2030-09-27T00:59:59'));
    expect(toWall(zone, wall('2030-09-26T22:45:00'))).toBe(wall('2030-09-27T00:00:00'));
  });

  test('changes that are listed by date count in the year of the event', () => {
    const listed = [
      observance(3.25, 4.25, '2024-04-01T00:00:00', undefined, ['2025-04-07T00:00:00']),
      observance(4.25, 3.25, '2024-10-01T00:00:00', undefined, ['2025-10-06T00:00:00']),
    ];
    const zone = zoneOfVtimezone('Listed', listed, AROUND) ?? '';
    expect(offsetAt(zone, wall('2025-04-06T20:44:59')) / HOUR).toBe(3.25);
    expect(offsetAt(zone, wall('2025-04-06T20:45:00')) / HOUR).toBe(4.25);
    expect(offsetAt(zone, wall('2025-12-01T00:00:00')) / HOUR).toBe(3.25);
  });

  test('a single permanent change gives the offset of the event', () => {
    const changed = [observance(3.25, 4.75, '2020-04-01T00:00:00')];
    expect(offsetAt(zoneOfVtimezone('Changed', changed, AROUND) ?? '', AROUND) / HOUR).toBe(4.75);
    expect(offsetAt(zoneOfVtimezone('Changed', changed, wall('2019-01-01')) ?? '', AROUND) / HOUR).toBe(3.25);
  });

  test('any VTIMEZONE yields a zone or undefined, and never throws', () => {
    const number = fc.oneof(
      fc.integer({ min: -20, max: 20 }).map((hours) => hours * HOUR),
      fc.double(),
      fc.maxSafeInteger(),
    );
    const anyRule = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'FREQ=SECONDLY',
        'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
        'FREQ=DAILY',
        'FREQ=YEARLY;COUNT=3',
        'FREQ=MONTHLY;BYDAY=-1SU',
      ),
    );
    const anyObservance: fc.Arbitrary<Observance> = fc.record(
      {
        offsetFrom: number,
        offsetTo: number,
        start: number,
        rule: anyRule,
        dates: fc.array(number),
        isDaylight: fc.boolean(),
      },
      { requiredKeys: ['offsetFrom', 'offsetTo', 'start', 'dates', 'isDaylight'] },
    );
    fc.assert(
      fc.property(fc.string(), fc.array(anyObservance, { maxLength: 5 }), number, (tzid, observances, around) => {
        const zone = zoneOfVtimezone(tzid, observances, around);
        expect(zone === undefined || isZone(zone)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test('thousands of observances with rules of seconds end soon', () => {
    const many = Array.from({ length: 5000 }, (_, index) =>
      observance(1, 1 + (index % 3), '2020-01-01T00:00:00', 'FREQ=SECONDLY'),
    );
    expect(isZone(zoneOfVtimezone('Many', many, AROUND) ?? '')).toBe(true);
  });
});

describe('the VTIMEZONE of a zone', () => {
  test('has the yearly rules of the zone', () => {
    expect(vtimezoneOf('Europe/Berlin', AROUND)).toEqual({
      tzid: 'Europe/Berlin',
      lines: [
        'BEGIN:VTIMEZONE',
        'TZID:Europe/Berlin',
        'BEGIN:DAYLIGHT',
        'DTSTART:20240331T020000',
        'TZOFFSETFROM:+0100',
        'TZOFFSETTO:+0200',
        'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
        'END:DAYLIGHT',
        'BEGIN:STANDARD',
        'DTSTART:20241027T030000',
        'TZOFFSETFROM:+0200',
        'TZOFFSETTO:+0100',
        'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
        'END:STANDARD',
        'END:VTIMEZONE',
      ],
    });
  });

  test.each([
    ['Asia/Jerusalem', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=23,24,25,26,27,28,29;BYDAY=FR'],
    ['America/New_York', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU'],
    ['Australia/Sydney', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SU'],
    ['posix:STD-1DST-2,M3.5.0/2,M10.5.0/3', 'TZID:Customized Time Zone'],
    ['Africa/Cairo', 'RDATE:20261030T000000'],
    ['Asia/Kolkata', 'TZOFFSETTO:+0530'],
  ])('of %s has the line %s', (zone, line) => {
    expect(vtimezoneOf(zone, AROUND).lines).toContain(line);
  });

  test('has the name that the calendar gives the zone', () => {
    const { tzid, lines } = vtimezoneOf('Europe/Berlin', AROUND, 'W. Europe Standard Time');
    expect([tzid, lines[1]]).toEqual(['W. Europe Standard Time', 'TZID:W. Europe Standard Time']);
  });

  test('of a year before a reform lists the old changes and has the new rules', () => {
    const { lines } = vtimezoneOf('America/New_York', wall('2006-06-01'));
    expect(lines).toContain('RDATE:20060402T020000');
    expect(lines).toContain('DTSTART:20070311T020000');
  });

  test('of any zone can be resolved, by its rules only, to a zone with the same offsets', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ianaZones()), fc.integer({ min: 1990, max: 2024 }), (zone, year) => {
        const around = Date.UTC(year, 5, 15);
        const read = readObservances(vtimezoneOf(zone, around).lines);
        const found = zoneOfVtimezone('Unknown', read, around) ?? '';
        expect(offsetAt(found, around), `${zone} ${year} ${found}`).toBe(offsetAt(zone, around));
      }),
      { numRuns: 20 },
    );
  });

  test('is understood by another library, which finds the offsets of the zone in the ten years that follow', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ianaZones()),
        fc.integer({ min: 1990, max: 2025 }),
        fc.integer({ min: 0, max: 3650 }),
        (zone, year, days) => {
          const { lines } = vtimezoneOf(zone, Date.UTC(year, 5, 15));
          const parsed = ICAL.Timezone.fromData({ component: lines.join('\r\n') });
          const instant = Date.UTC(year, 5, 15) + days * 24 * HOUR;
          const local = new Date(toWall(zone, instant));
          const time = ICAL.Time.fromDateTimeString(local.toISOString().slice(0, 19));
          expect(parsed.utcOffset(time) * 1000, `${zone} ${new Date(instant).toISOString()}`).toBe(
            offsetAt(zone, instant),
          );
        },
      ),
      { numRuns: 20 },
    );
  });
});

/** Parses the lines without a library. */
const readObservances = (lines: readonly string[]): Observance[] => {
  const time = (text: string): number =>
    wall(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6'));
  const offset = (text: string): number => {
    const [, sign, hours, minutes, seconds = '0'] = /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(text) ?? [];
    return (sign === '-' ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  };
  const blocks = lines.join('\n').match(/BEGIN:(?:STANDARD|DAYLIGHT)\n[\s\S]*?\nEND:/g) ?? [];
  return blocks.map((block) => {
    const value = (name: string): string | undefined => new RegExp(`^${name}:(.*)$`, 'm').exec(block)?.[1];
    const rule = value('RRULE');
    return {
      offsetFrom: offset(value('TZOFFSETFROM') ?? ''),
      offsetTo: offset(value('TZOFFSETTO') ?? ''),
      start: time(value('DTSTART') ?? ''),
      ...(rule !== undefined && { rule }),
      dates: [...block.matchAll(/^RDATE:(.*)$/gm)].map(([, text = '']) => time(text)),
      isDaylight: block.startsWith('BEGIN:DAYLIGHT'),
    };
  });
};
