import { count, counted } from '../../shared/format/numbers.ts';
import { longSpan } from '../../shared/format/times.ts';
import type { RowOf } from '../../shared/list/pages.ts';

export type Limit = RowOf<'/_jar/limits'>;
export type Mode = Limit['inForce']['mode'];
export type Scope = Readonly<Record<string, string>>;
export type Numbers = Limit['table'];
export type NumberName = keyof Numbers;

/** The numbers of a limit with the words of their fields. */
export const NUMBERS: readonly { readonly name: NumberName; readonly label: string }[] = [
  { name: 'limit', label: 'Limit' },
  { name: 'size', label: 'Size' },
  { name: 'refillPerSecond', label: 'Refill per second' },
  { name: 'windowMs', label: 'Window in ms' },
];

export const MODES = [
  { value: 'enforced', label: 'Enforced' },
  { value: 'shadow', label: 'Shadow: count, refuse nothing' },
  { value: 'unlimited', label: 'Unlimited' },
] as const;

/** What a limit permits, in one line: `250 requests at once, then 25 a second`. */
export function wordsOf({ kind, unit }: Pick<Limit, 'kind' | 'unit'>, numbers: Numbers): string {
  const { limit = 0, size = 0, refillPerSecond = 0, windowMs } = numbers;
  switch (kind) {
    case 'bucket':
      return `${count(size)} ${unit} at once, then ${rate(refillPerSecond)}`;
    case 'concurrency':
      return `${count(limit)} ${unit} at the same time`;
    case 'bound':
      return `at most ${count(limit)} ${unit}`;
    default:
      return windowMs === undefined ? `${count(limit)} ${unit}` : `${count(limit)} ${unit} in ${longSpan(windowMs)}`;
  }
}

const MINUTE = 60;
const HOUR = 3600;

function rate(perSecond: number): string {
  if (perSecond >= 1 || perSecond === 0) return `${decimal(perSecond)} a second`;
  return perSecond * MINUTE >= 1 ? `${decimal(perSecond * MINUTE)} a minute` : `${decimal(perSecond * HOUR)} an hour`;
}

const decimal = (value: number): string => new Intl.NumberFormat('en', { maximumFractionDigits: 2 }).format(value);

/** Who a scope is, in one line; the whole jar has none. */
export function scopeWords(scope: Scope | undefined): string {
  const entries = Object.entries(scope ?? {});
  return entries.length === 0 ? 'everyone' : entries.map(([part, value]) => `${part} ${value}`).join(', ');
}

export const usedWords = ({ used, maximum }: Limit['use'][number]): string => `${count(used)} of ${count(maximum)}`;

export const refusedWords = ({ refusals, shadowRefusals }: Limit): string =>
  shadowRefusals === 0
    ? counted(refusals, 'refusal')
    : `${counted(refusals, 'refusal')}, ${count(shadowRefusals)} more in shadow mode`;
