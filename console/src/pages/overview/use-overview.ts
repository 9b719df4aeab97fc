import { useAddressParam } from '../../shared/address.ts';
import { control, dataOf, type operations } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';

type Document = operations['Jar_Overview']['responses'][200]['content']['application/json'];

/** The overview, with the browser's time when it was read. */
export type Overview = Document & { readonly readAt: number };

/** Lengths of the series in minutes, by their value in the address. */
export const PERIODS = [
  { value: '1', label: 'Last minute' },
  { value: '5', label: 'Last 5 minutes' },
  { value: '15', label: 'Last 15 minutes' },
  { value: '60', label: 'Last hour' },
] as const;

export type Period = (typeof PERIODS)[number]['value'];

const DEFAULT: Period = '5';

export function usePeriod(): readonly [Period, (period: Period) => void] {
  const [given, set] = useAddressParam('minutes');
  const period = PERIODS.find(({ value }) => value === given)?.value ?? DEFAULT;
  return [period, (chosen) => set(chosen === DEFAULT ? undefined : chosen)];
}

/** A series has 60 points, so that one of them ends every so many seconds. */
const POINT_MS_A_MINUTE = 1_000;

export function useOverview(period: Period) {
  const minutes = Number(period);
  return useData<Overview>(
    ['overview', minutes],
    async (signal) => ({
      ...(await dataOf(control.GET('/_jar/overview', { params: { query: { minutes } }, signal }))),
      readAt: Date.now(),
    }),
    {
      on: ['requests', 'deliveries', 'work', 'clock', '/_jar/limits'],
      // Without any request, the series still moves on.
      everyMs: minutes * POINT_MS_A_MINUTE,
      keepPrevious: true,
    },
  );
}
