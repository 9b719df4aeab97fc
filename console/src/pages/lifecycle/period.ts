import { useAddressParam } from '../../shared/address.ts';
import { useNow } from '../../shared/format/now.tsx';

const DAY = 24 * 3_600_000;

/** Periods are whole days of UTC; data is kept for 90 days. */
export const PERIODS = [
  { value: '7', label: 'Last 7 days' },
  { value: '28', label: 'Last 28 days' },
  { value: '90', label: 'Last 90 days' },
] as const;

export type Days = (typeof PERIODS)[number]['value'];

/** The chosen period: kept in the address, and ending now by the jar's clock. */
export function usePeriod(): { readonly days: Days; readonly choose: (days: Days) => void; readonly start: string } {
  const [param, setParam] = useAddressParam('days');
  const { now } = useNow();
  const days = PERIODS.find(({ value }) => value === param)?.value ?? '28';
  const first = new Date(now - (Number(days) - 1) * DAY);
  return { days, choose: setParam, start: `${first.toISOString().slice(0, 10)}T00:00:00Z` };
}
