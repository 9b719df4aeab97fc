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

/** What `date +FORMAT` prints, in universal time. */
export function formatDate(at: number, format: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  const iso = date.toISOString();
  const codes: Readonly<Record<string, () => string>> = {
    s: () => String(Math.floor(at / 1000)),
    N: () => `${String(date.getUTCMilliseconds()).padStart(3, '0')}000000`,
    Y: () => String(date.getUTCFullYear()),
    m: () => two(date.getUTCMonth() + 1),
    d: () => two(date.getUTCDate()),
    e: () => String(date.getUTCDate()).padStart(2, ' '),
    H: () => two(date.getUTCHours()),
    M: () => two(date.getUTCMinutes()),
    S: () => two(date.getUTCSeconds()),
    F: () => iso.slice(0, 10),
    T: () => iso.slice(11, 19),
    Z: () => 'UTC',
    z: () => '+0000',
    a: () => (DAYS[date.getUTCDay()] as string).slice(0, 3),
    A: () => DAYS[date.getUTCDay()] as string,
    b: () => (MONTHS[date.getUTCMonth()] as string).slice(0, 3),
    B: () => MONTHS[date.getUTCMonth()] as string,
    n: () => '\n',
    '%': () => '%',
  };
  return format.replace(/%(.)/gs, (whole, code: string) => codes[code]?.() ?? whole);
}

/** What `date` prints. */
export const DEFAULT_DATE = '%a %b %e %H:%M:%S %Z %Y';
