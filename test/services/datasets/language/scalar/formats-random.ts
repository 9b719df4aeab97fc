import fc from 'fast-check';
import { plainTexts } from './random.ts';

const NAMES = [
  ...['General Number', 'Currency', 'fixed', 'STANDARD', 'Percent', 'Scientific', 'Yes/No', 'true/false', 'On/Off'],
  ...['General Date', 'long date', 'Medium Date', 'Short Date', 'Long Time', 'Medium Time', 'Short Time'],
];
const NUMBER_PARTS = ['0', '#', '0', '#', '.', ',', '%', ';', 'E+00', 'e-0', 'E+#', '\\x', '"q"', '-', '$', ' ', '('];
const DATE_PARTS = [
  ...['d', 'dd', 'ddd', 'dddd', 'ddddd', 'dddddd', 'w', 'ww', 'm', 'mm', 'MMM', 'mmmm', 'q', 'y', 'yy', 'yyyy', 'yyy'],
  ...[
    'h',
    'hh',
    'HH',
    'n',
    'nn',
    's',
    'ss',
    'sss',
    'ttttt',
    'tt',
    'c',
    'AM/PM',
    'am/pm',
    'A/P',
    'AMPM',
    ':',
    '/',
    ' ',
    '\\h',
    '"day"',
  ],
];

/** Valid and invalid formats. */
export const formats = fc.oneof(
  fc.constantFrom(...NAMES),
  fc.array(fc.constantFrom(...NUMBER_PARTS), { maxLength: 10 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...DATE_PARTS), { maxLength: 8 }).map((parts) => parts.join('')),
  fc.constantFrom('#,##0.00', '0.0%', '0;(0);zero', '#,##0,,.0', '000-00', '0.00E+00', '.##', '#'),
  plainTexts,
  fc.constant(null),
);
