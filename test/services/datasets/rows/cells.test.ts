import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ColumnType } from '../../../../src/kernel/store/index.ts';
import { mistakeOf } from '../../../../src/services/datasets/rows/cells.ts';
import { compile, convertExactly } from '../../../../src/services/datasets/rows/converters.ts';
import { parseReparsable } from '../../../../src/services/datasets/rows/exact-json.ts';

/** Converts from JSON text, as in a request. */
const convert = (type: ColumnType, json: string): unknown => {
  const { value, exact } = parseReparsable(Buffer.from(`[{"c":${json}}]`), {});
  const rows = convertExactly(compile([{ name: 'c', type }]), value as unknown[], () => exact() as unknown[]);
  return rows[0]![0];
};

const serial = (year: number, month: number, day: number): number =>
  Date.UTC(year, month - 1, day) / 86_400_000 + 25_569;

describe('a value becomes a cell', () => {
  it.each<[ColumnType, string, unknown]>([
    ['int64', '1', 1],
    ['int64', '-0', 0],
    ['int64', '1.0', 1],
    ['int64', '"42"', 42],
    ['int64', '" -42 "', -42],
    ['int64', '9007199254740993', 9007199254740993n],
    ['int64', '"9007199254740993"', 9007199254740993n],
    ['int64', '1e17', 100000000000000000n],
    ['int64', '100000000000000000.0', 100000000000000000n],
    ['int64', '9007199254740993.0', 9007199254740993n],
    ['int64', '90071992547409930e-1', 9007199254740993n],
    ['int64', '9.007199254740993e15', 9007199254740993n],
    ['int64', '-0.9007199254740993000e16', -9007199254740993n],
    ['int64', '9223372036854775806', 9223372036854775806n],
    ['int64', '-9223372036854775807', -9223372036854775807n],
    ['double', '1.5', 1.5],
    ['double', '"1.5e3"', 1500],
    ['double', '0.1234567890123456789', 0.12345678901234568],
    ['double', '-0', 0],
    ['decimal', '1.5', 15_000],
    ['decimal', '0.1', 1000],
    ['decimal', '"0.1"', 1000],
    ['decimal', '-12.3456', -123_456],
    ['decimal', '1.00005', 10_001],
    ['decimal', '-1.00005', -10_001],
    ['decimal', '1.00004', 10_000],
    ['decimal', '2.5e-5', 0],
    ['decimal', '5e-5', 1],
    ['decimal', '"1e3"', 10_000_000],
    ['decimal', '123456789012345.6789', 1234567890123456789n],
    ['decimal', '922337203685477.5806', 9223372036854775806n],
    ['boolean', 'true', 1],
    ['boolean', '"False"', 0],
    ['text', '"é"', 'é'],
    ['text', '""', ''],
    ['datetime', '"2024-01-05"', serial(2024, 1, 5)],
    ['datetime', '"2024-01-05T12:00:00"', serial(2024, 1, 5) + 0.5],
    ['datetime', '"2024-01-05 12:00"', serial(2024, 1, 5) + 0.5],
    ['datetime', '"2024-01-05T12:00:00Z"', serial(2024, 1, 5) + 0.5],
    ['datetime', '"2024-01-05T01:00:00+13:00"', serial(2024, 1, 4) + 0.5],
    ['datetime', '"2024-01-05T02:00:00+14:00"', serial(2024, 1, 4) + 0.5],
    ['datetime', '"07/30/2014"', serial(2014, 7, 30)],
    ['datetime', '"7/30/2014 6:00 PM"', serial(2014, 7, 30) + 0.75],
    ['datetime', '"7/30/2014 12:00:00 AM"', serial(2014, 7, 30)],
    ['datetime', '"2024-01-05T00:00:00.001"', serial(2024, 1, 5)],
    ['datetime', '"2024-01-05T00:00:00.002"', serial(2024, 1, 5) + 1 / 25_920_000],
    ['datetime', '"2024-01-05T23:59:59.9999999"', serial(2024, 1, 6)],
    ['datetime', '"2024-02-29"', serial(2024, 2, 29)],
    ['datetime', '"1899-12-30"', 0],
    ['datetime', '"9999-12-31"', 2_958_465],
  ])('%s of %s', (type, json, cell) => {
    expect(convert(type, json)).toStrictEqual(cell);
  });

  it.each<[ColumnType, string]>([
    ['int64', '1.5'],
    ['int64', '"1.0"'],
    ['int64', '""'],
    ['int64', '"x"'],
    ['int64', 'true'],
    ['int64', '9223372036854775807'],
    ['int64', '-9223372036854775808'],
    ['int64', '1e300'],
    ['int64', '1e400'],
    ['int64', `${'9'.repeat(100_000)}`],
    ['int64', '9007199254740993.1'],
    ['int64', '9223372036854775807.0'],
    ['int64', '123456789012345678.5'],
    ['int64', '[1]'],
    ['int64', '{}'],
    ['double', '"NaN"'],
    ['double', '"Infinity"'],
    ['double', '1e999'],
    ['double', '1.7976931348623157e308'],
    ['double', '-1.7976931348623157e308'],
    ['double', '"1.5x"'],
    ['double', 'false'],
    ['decimal', '922337203685477.5807'],
    ['decimal', '1e30'],
    ['decimal', '"1,5"'],
    ['decimal', 'true'],
    ['boolean', '1'],
    ['boolean', '"yes"'],
    ['datetime', '45296'],
    ['datetime', '"2024-02-30"'],
    ['datetime', '"2023-02-29"'],
    ['datetime', '"2024-13-01"'],
    ['datetime', '"30/07/2014"'],
    ['datetime', '"2024-01-05T24:00:00"'],
    ['datetime', '"7/30/2014 13:00 PM"'],
    ['datetime', '"2024-01-05T00:00:00+14:01"'],
    ['datetime', '"2024-01-05T00:00:00+99:99"'],
    ['datetime', '"2024-01-05T00:00:00-01:60"'],
    ['datetime', '"1899-12-29"'],
    ['datetime', '"yesterday"'],
    ['text', '1'],
    ['text', 'true'],
    ['text', '"a\\u0000b"'],
    ['text', '"\\ud800"'],
    ['text', `"${'x'.repeat(4001)}"`],
  ])('%s refuses %s, and says what it expects', (type, json) => {
    expect(() => convert(type, json)).toThrow('Bad Request');
    expect(mistakeOf(type, JSON.parse(json))).toMatch(/^expected .*, got (?!null)./);
  });

  it('keeps texts of 4,000 characters', () => {
    expect(convert('text', `"${'x'.repeat(4000)}"`)).toHaveLength(4000);
  });

  it('keeps every whole number between the extremes exactly, as number and as text', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 2n }), (value) => {
        expect(BigInt(convert('int64', String(value)) as number)).toBe(value);
        expect(BigInt(convert('int64', `"${value}"`) as number)).toBe(value);
      }),
    );
  });

  it('keeps every decimal of four places exactly, as number and as text', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 2n }), (units) => {
        const digits = String(units < 0n ? -units : units).padStart(5, '0');
        const written = `${units < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
        expect(BigInt(convert('decimal', written) as number)).toBe(units);
        expect(BigInt(convert('decimal', `"${written}"`) as number)).toBe(units);
      }),
    );
  });

  it('rounds times to the nearest 1/300 of a second', () => {
    const time = fc.date({ min: new Date('1900-01-01'), max: new Date('9999-12-30'), noInvalidDate: true });
    fc.assert(
      fc.property(time, (date) => {
        const cell = convert('datetime', JSON.stringify(date)) as number;
        const ticks = cell * 25_920_000;
        expect(Math.abs(ticks - Math.round(ticks))).toBeLessThan(0.01);
        expect(Math.abs((cell - 25_569) * 86_400_000 - date.getTime())).toBeLessThan(1.7);
      }),
    );
  });
});
