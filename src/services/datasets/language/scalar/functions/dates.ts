import { quoted } from '../library/part.ts';
import { INTERVALS } from '../library/periods.ts';
import { truncated } from './maths.ts';
import { row, type ScalarFunction } from './row.ts';

const part = (name: string): ScalarFunction =>
  row(name, [1, 1], 'int', (args) => args.call(name.toLowerCase(), args.date(0)));

export const DATE_FUNCTIONS: readonly ScalarFunction[] = [
  // Without a year there is no date; other BLANKs count as zero.
  row('DATE', [3, 3], 'date', (args) => args.call('date_of_parts', args.as(0, 'int'), args.whole(1), args.whole(2))),
  row('TIME', [3, 3], 'date', (args) => args.call('time_of_parts', args.whole(0), args.whole(1), args.whole(2))),
  ...['YEAR', 'MONTH', 'DAY', 'QUARTER', 'HOUR', 'MINUTE', 'SECOND'].map(part),
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
