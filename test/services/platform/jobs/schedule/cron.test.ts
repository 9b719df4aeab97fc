import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CronError, parseCron, shortestGap } from '../../../../../src/services/platform/jobs/schedule/cron.ts';
import { nextFiring } from '../../../../../src/services/platform/jobs/schedule/cron-times.ts';
import { type Zone, zoneOf } from '../../../../../src/services/platform/jobs/schedule/zone.ts';

const zone = (id: string): Zone => zoneOf(id) as Zone;

function firings(expression: string, from: string, count: number, id = 'UTC'): string[] {
  const cron = parseCron(expression);
  const found: string[] = [];
  for (let at = nextFiring(cron, zone(id), Date.parse(from)); at !== undefined && found.length < count; ) {
    found.push(new Date(at).toISOString().replace('.000Z', 'Z'));
    at = nextFiring(cron, zone(id), at);
  }
  return found;
}

/** The examples of the Quartz manual, with their documented meaning. */
const EXAMPLES: readonly (readonly [string, string, readonly string[]])[] = [
  ['0 0 12 * * ?', 'at noon every day', ['2026-03-01T12:00:00Z', '2026-03-02T12:00:00Z']],
  ['0 15 10 ? * *', 'at 10:15 every day', ['2026-03-01T10:15:00Z', '2026-03-02T10:15:00Z']],
  ['0 15 10 * * ? *', 'at 10:15 every day, with a year', ['2026-03-01T10:15:00Z', '2026-03-02T10:15:00Z']],
  ['0 15 10 * * ? 2027', 'at 10:15 every day of a year', ['2027-01-01T10:15:00Z', '2027-01-02T10:15:00Z']],
  ['0 * 14 * * ?', 'every minute of an hour', ['2026-03-01T14:00:00Z', '2026-03-01T14:01:00Z']],
  ['0 0/5 14,18 * * ?', 'every 5 minutes of two hours', ['2026-03-01T14:00:00Z', '2026-03-01T14:05:00Z']],
  ['0 0-5 14 * * ?', 'a range of minutes', ['2026-03-01T14:00:00Z', '2026-03-01T14:01:00Z']],
  ['0 10,44 14 ? 3 WED', 'on Wednesdays of March', ['2026-03-04T14:10:00Z', '2026-03-04T14:44:00Z']],
  ['0 15 10 ? * MON-FRI', 'from Monday to Friday', ['2026-03-02T10:15:00Z', '2026-03-03T10:15:00Z']],
  ['0 15 10 15 * ?', 'on the 15th', ['2026-03-15T10:15:00Z', '2026-04-15T10:15:00Z']],
  ['0 15 10 L * ?', 'on the last day of the month', ['2026-03-31T10:15:00Z', '2026-04-30T10:15:00Z']],
  ['0 15 10 L-2 * ?', 'two days before the last', ['2026-03-29T10:15:00Z', '2026-04-28T10:15:00Z']],
  ['0 15 10 ? * 6L', 'on the last Friday', ['2026-03-27T10:15:00Z', '2026-04-24T10:15:00Z']],
  ['0 15 10 ? * 6L 2026-2029', 'on the last Friday of years', ['2026-03-27T10:15:00Z', '2026-04-24T10:15:00Z']],
  ['0 15 10 ? * 6#3', 'on the third Friday', ['2026-03-20T10:15:00Z', '2026-04-17T10:15:00Z']],
  ['0 0 12 1/5 * ?', 'every 5 days from the first', ['2026-03-01T12:00:00Z', '2026-03-06T12:00:00Z']],
  ['0 11 11 11 11 ?', 'on a date', ['2026-11-11T11:11:00Z', '2027-11-11T11:11:00Z']],
  ['0 0 9 LW * ?', 'on the last weekday', ['2026-03-31T09:00:00Z', '2026-04-30T09:00:00Z', '2026-05-29T09:00:00Z']],
  [
    '0 0 9 1W * ?',
    'on the weekday nearest the first',
    [
      '2026-03-02T09:00:00Z',
      '2026-04-01T09:00:00Z',
      '2026-05-01T09:00:00Z',
      '2026-06-01T09:00:00Z',
      '2026-07-01T09:00:00Z',
      '2026-08-03T09:00:00Z',
    ],
  ],
  ['0 0 9 15W 8 ?', 'a Saturday moves to Friday', ['2026-08-14T09:00:00Z']],
  [
    '0 0 22-2 1 4 ?',
    'a range past midnight',
    ['2026-04-01T00:00:00Z', '2026-04-01T01:00:00Z', '2026-04-01T02:00:00Z', '2026-04-01T22:00:00Z'],
  ],
  [
    '0 0 9 ? * FRI-MON',
    'a range past the week',
    ['2026-03-01T09:00:00Z', '2026-03-02T09:00:00Z', '2026-03-06T09:00:00Z'],
  ],
  ['0 0 9 ? * 1', 'Sunday is 1', ['2026-03-01T09:00:00Z', '2026-03-08T09:00:00Z']],
  ['0 0 9 ? * L', 'L by itself is Saturday', ['2026-03-07T09:00:00Z', '2026-03-14T09:00:00Z']],
  ['0 0 9 29 2 ?', 'on leap days', ['2028-02-29T09:00:00Z', '2032-02-29T09:00:00Z']],
  [
    '15/30 30 9 1 3 ?',
    'seconds with a start',
    ['2026-03-01T09:30:15Z', '2026-03-01T09:30:45Z', '2027-03-01T09:30:15Z'],
  ],
  ['0 0 9 ? jan-mar tue#5', 'names in lower case', ['2026-03-31T09:00:00Z']],
];

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['', /0 fields/],
  ['0 0 12 * *', /5 fields/],
  ['0 0 12 * * ? * *', /8 fields/],
  ['0 0 12 * * *', /exactly one/],
  ['0 0 12 ? * ?', /exactly one/],
  ['60 0 12 * * ?', /'second' has '60'/],
  ['0 0 24 * * ?', /'hour' has '24'/],
  ['0 0 12 32 * ?', /'day of month' has '32'/],
  ['0 0 12 * 13 ?', /'month' has '13'/],
  ['0 0 12 ? * 8', /'day of week' has '8'/],
  ['0 0 12 ? * MON#6', /from 1 to 5/],
  ['0 0 12 ? * XYZ', /'day of week' has 'XYZ'/],
  ['0 0/0 12 * * ?', /a step from 1/],
  ['0 0/1/2 12 * * ?', /a value, a range or a step/],
  ['0 1-2-3 12 * * ?', /a value, a range or a step/],
  ['0 , 12 * * ?', /a value, a range or a step/],
  ['0 ? 12 * * ?', /'minute' has '\?'/],
  ['0 0 12 L-31 * ?', /at most 30/],
  ['0 0 12 1 1 ? 1969', /'year' has '1969'/],
  ['0 0 12 1 1 ? 2030-2028', /does not go backwards/],
  [`0 ${'1,'.repeat(400)}1 12 * * ?`, /longer than 500/],
];

describe('cron expressions', () => {
  it.each(EXAMPLES)('%s fires %s', (expression, _meaning, expected) => {
    expect(firings(expression, '2026-03-01T00:00:00Z', expected.length)).toEqual(expected);
  });

  it.each(REFUSED)('%s is refused', (expression, reason) => {
    expect(() => parseCron(expression)).toThrow(CronError);
    expect(() => parseCron(expression)).toThrow(reason);
  });

  it('an expression that never fires any more gives nothing, without a long search', () => {
    expect(firings('0 0 12 30 2 ?', '2026-03-01T00:00:00Z', 1)).toEqual([]);
    expect(firings('0 0 12 1 1 ? 2020', '2026-03-01T00:00:00Z', 1)).toEqual([]);
  });

  it('a time that clocks skip is shifted, and a repeated hour counts once unless every hour fires', () => {
    const berlin = 'Europe/Berlin';
    expect(firings('0 30 2 * * ?', '2026-03-28T12:00:00Z', 2, berlin)).toEqual([
      '2026-03-29T01:30:00Z',
      '2026-03-30T00:30:00Z',
    ]);
    expect(firings('0 30 2 * * ?', '2026-10-24T12:00:00Z', 2, berlin)).toEqual([
      '2026-10-25T00:30:00Z',
      '2026-10-26T01:30:00Z',
    ]);
    expect(firings('0 0/30 * * * ?', '2026-10-24T23:59:00Z', 6, berlin)).toEqual([
      '2026-10-25T00:00:00Z',
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:00:00Z',
      '2026-10-25T01:30:00Z',
      '2026-10-25T02:00:00Z',
      '2026-10-25T02:30:00Z',
    ]);
    expect(firings('0 0/30 * * * ?', '2026-03-28T23:59:00Z', 4, berlin)).toEqual([
      '2026-03-29T00:00:00Z',
      '2026-03-29T00:30:00Z',
      '2026-03-29T01:00:00Z',
      '2026-03-29T01:30:00Z',
    ]);
  });

  it('zones are those of IANA, and fixed offsets in the form of Java', () => {
    expect(firings('0 0 9 * * ?', '2026-07-01T00:00:00Z', 1, 'America/Los_Angeles')).toEqual(['2026-07-01T16:00:00Z']);
    expect(firings('0 0 9 * * ?', '2026-07-01T00:00:00Z', 1, 'Asia/Kolkata')).toEqual(['2026-07-01T03:30:00Z']);
    expect(firings('0 0 9 * * ?', '2026-07-01T00:00:00Z', 1, 'GMT+02:00')).toEqual(['2026-07-01T07:00:00Z']);
    expect(firings('0 0 9 * * ?', '2026-07-01T00:00:00Z', 1, 'UTC-5')).toEqual(['2026-07-01T14:00:00Z']);
    for (const id of ['', 'Mars/Olympus', 'GMT+19', 'GMT+1:75', 'Europe/Berlin; DROP'])
      expect(zoneOf(id)).toBeUndefined();
  });

  it('the shortest gap is found within a minute and over its end', () => {
    expect(shortestGap(parseCron('* * * * * ?'))).toBe(1);
    expect(shortestGap(parseCron('0,55 * * * * ?'))).toBe(5);
    expect(shortestGap(parseCron('0,55 0/2 * * * ?'))).toBe(55);
    expect(shortestGap(parseCron('0/10 * * * * ?'))).toBe(10);
    expect(shortestGap(parseCron('0 * * * * ?'))).toBe(60);
  });

  it('property: firings ascend, match the expression on the clocks of the zone, and none is left out', () => {
    const part = (least: number, most: number) => fc.integer({ min: least, max: most });
    fc.assert(
      fc.property(
        part(0, 59),
        part(0, 23),
        fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'),
        part(0, 700),
        (minute, hour, id, days) => {
          const from = Date.UTC(2026, 0, 1) + days * 86_400_000;
          const cron = parseCron(`0 ${minute} ${hour} * * ?`);
          const where = zone(id);
          let last = from;
          for (let each = 0; each < 5; each++) {
            const next = nextFiring(cron, where, last) as number;
            expect(next).toBeGreaterThan(last);
            // One firing per day: a gap of more than 26 hours would mean a skipped firing.
            if (each > 0) expect(next - last).toBeLessThanOrEqual(26 * 3_600_000);
            const local = new Date(next + where.offsetAt(next));
            const isShifted = local.getUTCHours() !== hour || local.getUTCMinutes() !== minute;
            if (isShifted) expect(where.offsetAt(next)).toBeGreaterThan(where.offsetAt(next - 3 * 3_600_000));
            last = next;
          }
        },
      ),
    );
  });
});
