import type { PatternedRecurrence, RecurrencePattern, RecurrenceRange } from '../recurrence/types.ts';

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];
const WORKING_DAYS = 'monday,tuesday,wednesday,thursday,friday';

/** `Every 2 weeks on Monday and Friday, from 5 January 2026 until 30 June 2026`. */
export const recurrenceInWords = ({ pattern, range }: PatternedRecurrence): string =>
  `${patternInWords(pattern)}, ${rangeInWords(range)}`;

function patternInWords({ type, interval, month, dayOfMonth, daysOfWeek, index }: RecurrencePattern): string {
  const every = (unit: string): string => (interval > 1 ? `Every ${interval} ${unit}s` : `Every ${unit}`);
  const monthName = MONTHS[month - 1] ?? '';
  const dayOfRank = `the ${index} ${daysInWords(daysOfWeek, 'or')}`;
  switch (type) {
    case 'daily':
      return every('day');
    case 'weekly':
      return interval <= 1 && daysOfWeek.join() === WORKING_DAYS
        ? 'Every working day'
        : `${every('week')} on ${daysInWords(daysOfWeek, 'and')}`;
    case 'absoluteMonthly':
      return `${every('month')} on day ${dayOfMonth}`;
    case 'relativeMonthly':
      return `${every('month')} on ${dayOfRank}`;
    case 'absoluteYearly':
      return `${every('year')} on ${dayOfMonth} ${monthName}`;
    case 'relativeYearly':
      return `${every('year')} on ${dayOfRank} of ${monthName}`;
  }
}

function rangeInWords({ type, startDate, endDate, numberOfOccurrences: count }: RecurrenceRange): string {
  const from = `from ${dateInWords(startDate)}`;
  if (type === 'endDate') return `${from} until ${dateInWords(endDate)}`;
  return type === 'numbered' ? `${from}, ${count} ${count === 1 ? 'time' : 'times'}` : from;
}

function daysInWords(days: readonly string[], word: 'and' | 'or'): string {
  if (days.length === 7) return word === 'and' ? 'every day' : 'day';
  if (word === 'or' && [...days].sort().join() === WORKING_DAYS.split(',').sort().join()) return 'working day';
  if (word === 'or' && [...days].sort().join() === 'saturday,sunday') return 'day of the weekend';
  return listed(
    days.map((day) => day.replace(/^\w/, (first) => first.toUpperCase())),
    word,
  );
}

const listed = (words: readonly string[], word: string): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${word} ${words.at(-1)}`;

/** `2026-01-05` → `5 January 2026` */
function dateInWords(date: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
}
