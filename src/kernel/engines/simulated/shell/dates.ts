const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

const two = (value: number): string => String(value).padStart(2, '0');

const CODES: Readonly<Record<string, (date: Date) => string>> = {
  s: (date) => String(Math.floor(date.getTime() / 1000)),
  N: (date) => `${String(date.getUTCMilliseconds()).padStart(3, '0')}000000`,
  Y: (date) => String(date.getUTCFullYear()),
  m: (date) => two(date.getUTCMonth() + 1),
  d: (date) => two(date.getUTCDate()),
  e: (date) => String(date.getUTCDate()).padStart(2, ' '),
  H: (date) => two(date.getUTCHours()),
  M: (date) => two(date.getUTCMinutes()),
  S: (date) => two(date.getUTCSeconds()),
  F: (date) => date.toISOString().slice(0, -14),
  T: (date) => date.toISOString().slice(-13, -5),
  Z: () => 'UTC',
  z: () => '+0000',
  a: (date) => (DAYS[date.getUTCDay()] as string).slice(0, 3),
  A: (date) => DAYS[date.getUTCDay()] as string,
  b: (date) => (MONTHS[date.getUTCMonth()] as string).slice(0, 3),
  B: (date) => MONTHS[date.getUTCMonth()] as string,
  n: () => '\n',
  '%': () => '%',
};

/** The output of `date +FORMAT`, in UTC. */
export function formatDate(at: number, format: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  return format.replace(
    /%(.)/gs,
    (whole, code: string) => (Object.hasOwn(CODES, code) ? CODES[code]?.(date) : whole) ?? '',
  );
}

/** The default format of `date`. */
export const DEFAULT_DATE = '%a %b %e %H:%M:%S %Z %Y';
