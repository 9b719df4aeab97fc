import { DAY_MS, END_OF_DAYS, FIRST_DAY } from '../library/calendar.ts';
import { quoted } from '../library/part.ts';
import { INTERVALS } from '../library/periods.ts';
import { bound } from '../sql.ts';
import { truncated } from './maths.ts';
import { row, type ScalarFunction } from './row.ts';

const part = (name: string): ScalarFunction =>
  row(name, [1, 1], 'int', (args) => args.call(name.toLowerCase(), args.date(0)));

/** The Julian day of serial number 0: SQLite counts days from noon of another epoch. */
const DAY_0 = 2_415_018.5;

/** The date parts most often used for grouping. SQLite computes them natively for dates well within its calendar. */
const datePart = (name: string, native: (day: string) => string): ScalarFunction => {
  const library = part(name);
  return row(name, [1, 1], 'int', (args) => {
    if (args.engine === 'postgres') return args.call(name.toLowerCase(), args.date(0));
    return bound([args.date(0)], (serial) => {
      const day = `floor(floor(${serial} * ${DAY_MS}.0 + 0.5) / ${DAY_MS}.0) + ${DAY_0}`;
      const other = library.sql([{ sql: serial!, type: 'date' }], args.engine);
      return `CASE WHEN ${serial} >= ${FIRST_DAY} AND ${serial} < ${END_OF_DAYS - 1} THEN ${native(day)} ELSE ${other} END`;
    });
  });
};

const field = (format: string) => (day: string) => `CAST(strftime('${format}', ${day}) AS INTEGER)`;

export const DATE_FUNCTIONS: readonly ScalarFunction[] = [
  // A blank year gives BLANK; other blanks count as zero.
  row('DATE', [3, 3], 'date', (args) => args.call('date_of_parts', args.as(0, 'int'), args.whole(1), args.whole(2))),
  row('TIME', [3, 3], 'date', (args) => args.call('time_of_parts', args.whole(0), args.whole(1), args.whole(2))),
  datePart('YEAR', field('%Y')),
  datePart('MONTH', field('%m')),
  datePart('DAY', field('%d')),
  datePart('QUARTER', (day) => `(${field('%m')(day)} + 2) / 3`),
  ...['HOUR', 'MINUTE', 'SECOND'].map(part),
  row('WEEKDAY', [1, 2], 'int', (args) => args.call('weekday', args.date(0), args.whole(1, 1))),
  row('WEEKNUM', [1, 2], 'int', (args) => args.call('weeknum', args.date(0), args.whole(1, 1))),
  row('EDATE', [2, 2], 'date', (args) =>
    args.call('edate', args.date(0), args.within(`coalesce(${truncated(args, 1)}, 0)`)),
  ),
  row('EOMONTH', [2, 2], 'date', (args) => args.call('eomonth', args.date(0), args.whole(1))),
  row('DATEDIFF', [3, 3], 'int', (args) => args.call('datediff', args.date(0), args.date(1), quoted(args.word(2))), {
    2: INTERVALS,
  }),
  row('DATEVALUE', [1, 1], 'date', (args) => args.call('date_only', args.date(0))),
  row('TIMEVALUE', [1, 1], 'date', (args) => args.call('time_only', args.date(0))),
  row('YEARFRAC', [2, 3], 'double', (args) => args.call('yearfrac', args.date(0), args.date(1), args.whole(2))),
];
