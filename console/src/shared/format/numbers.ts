const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const count = (value: number): string => whole.format(value);

/** `1.2K`, for places where the exact number does not matter. */
export const shortCount = (value: number): string =>
  Math.abs(value) < 10_000 ? whole.format(value) : short.format(value);

const KIBI = 1024;
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

export function bytes(value: number): string {
  let size = value;
  let unit = 0;
  while (size >= KIBI && unit < UNITS.length - 1) {
    size /= KIBI;
    unit += 1;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`;
}

export function milliseconds(value: number): string {
  if (value >= 10_000) return `${(value / 1000).toFixed(0)} s`;
  if (value >= 1_000) return `${(value / 1000).toFixed(1)} s`;
  return value >= 10 || value === 0 ? `${Math.round(value)} ms` : `${value.toFixed(1)} ms`;
}

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** `1 request`, `2 requests`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** `0.3`, `12`, `1,034`: how often something happens. */
export const rate = (value: number): string => (value > 0 && value < 10 ? value.toFixed(1) : whole.format(value));
