import { DAY_MS } from '../../../kernel/time/index.ts';
import { refusal } from './refuse.ts';

/**
 * Date formulas: `30D`; `1M(8D)` means one month and eight days, like `1M+8D`; `CM` is the end of the month, `CM+15D` the middle of the
 * next. Units are `D`, `W`, `M`, `Q` and `Y`; a `C` before the unit means the end of the current period; `D10` is the next tenth of a
 * month.
 */
const TERM = /^([+-]?)(?:C([DWMQY])|(\d{1,4})([DWMQY])|D(\d{1,2}))/;

type Unit = 'D' | 'W' | 'M' | 'Q' | 'Y';

interface Term {
  readonly sign: 1 | -1;
  readonly end?: Unit;
  readonly count?: number;
  readonly unit?: Unit;
  readonly dayOfMonth?: number;
}

/** The terms of a formula; an empty formula has none. Returns `undefined` if the text is not a formula. */
export function parseFormula(text: string): readonly Term[] | undefined {
  // Terms in parentheses follow the terms before them.
  let rest = text
    .toUpperCase()
    .replaceAll(/[\s<>]/g, '')
    .replaceAll(/\(([^()]+)\)/g, (_, inner: string) => signed(inner));
  const terms: Term[] = [];
  while (rest !== '') {
    const match = TERM.exec(rest);
    if (!match) return undefined;
    const [whole, sign, end, count, unit, dayOfMonth] = match;
    if (dayOfMonth !== undefined && (Number(dayOfMonth) < 1 || Number(dayOfMonth) > 31)) return undefined;
    terms.push({
      sign: sign === '-' ? -1 : 1,
      ...(end !== undefined && { end: end as Unit }),
      ...(count !== undefined && { count: Number(count), unit: unit as Unit }),
      ...(dayOfMonth !== undefined && { dayOfMonth: Number(dayOfMonth) }),
    });
    rest = rest.slice(whole.length);
    // A further term needs a sign; `30D8` is a mistake.
    if (rest !== '' && !/^[+-]/.test(rest)) return undefined;
  }
  return terms;
}

const signed = (inner: string): string => (/^[+-]/.test(inner) ? inner : `+${inner}`);

/** Applies a formula to a day such as `2024-01-31`. An invalid formula changes nothing; a result outside of the calendar is refused. */
export function addFormula(day: string, formula: string): string {
  const terms = parseFormula(formula) ?? [];
  const start = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(start.getTime())) return day;
  const end = terms.reduce(add, start);
  const year = end.getUTCFullYear();
  if (year >= 1 && year <= 9999) return end.toISOString().slice(0, 10);
  throw refusal(`The date formula ${formula} leads from ${day} to a day that is not within the years 1 to 9999.`);
}

function add(from: Date, { sign, end, count, unit, dayOfMonth }: Term): Date {
  if (end !== undefined) return sign === 1 ? endOf(from, end) : startOf(from, end);
  if (dayOfMonth !== undefined) return nextDayOfMonth(from, sign, dayOfMonth);
  return STEPS[unit as Unit](from, sign * (count as number));
}

const days = (from: Date, count: number): Date => new Date(from.getTime() + count * DAY_MS);

/** The same day of another month, or its last day if it is shorter. */
function months(from: Date, count: number): Date {
  const first = firstOf(from.getUTCFullYear(), from.getUTCMonth() + count);
  const last = days(nextMonth(first), -1).getUTCDate();
  return days(first, Math.min(from.getUTCDate(), last) - 1);
}

const nextMonth = (first: Date): Date => firstOf(first.getUTCFullYear(), first.getUTCMonth() + 1);

/** The first day of a month. `Date.UTC` maps the years before 100 to 19xx. */
function firstOf(year: number, month: number): Date {
  const day = new Date(0);
  day.setUTCFullYear(year, month, 1);
  return day;
}

const STEPS: Readonly<Record<Unit, (from: Date, count: number) => Date>> = {
  D: days,
  W: (from, count) => days(from, 7 * count),
  M: months,
  Q: (from, count) => months(from, 3 * count),
  Y: (from, count) => months(from, 12 * count),
};

const MONTHS_OF: Readonly<Record<'M' | 'Q' | 'Y', number>> = { M: 1, Q: 3, Y: 12 };

function startOf(day: Date, unit: Unit): Date {
  if (unit === 'D') return day;
  // Weeks begin on Monday.
  if (unit === 'W') return days(day, -((day.getUTCDay() + 6) % 7));
  const size = MONTHS_OF[unit];
  return firstOf(day.getUTCFullYear(), Math.floor(day.getUTCMonth() / size) * size);
}

const endOf = (day: Date, unit: Unit): Date => (unit === 'D' ? day : days(STEPS[unit](startOf(day, unit), 1), -1));

function nextDayOfMonth(from: Date, sign: 1 | -1, dayOfMonth: number): Date {
  const isAhead = sign === 1 ? from.getUTCDate() < dayOfMonth : from.getUTCDate() > dayOfMonth;
  const month = isAhead ? from : months(startOf(from, 'M'), sign);
  const last = endOf(month, 'M').getUTCDate();
  return days(startOf(month, 'M'), Math.min(dayOfMonth, last) - 1);
}
