/** The percentage of active devices per day that had no crash or error. */

/** As in the real service, the result if more devices were affected than active. */
const IMPOSSIBLE = -1;
const ALL = 100;

export interface DayOfDevices {
  readonly affected: number;
  readonly active: number;
}

/** A day without active devices counts as unaffected. */
export function percentageOf({ affected, active }: DayOfDevices): number {
  if (affected > active) return IMPOSSIBLE;
  return active === 0 ? ALL : ALL * (1 - affected / active);
}

/** The average over days with active devices and a possible percentage. */
export function averageOf(days: readonly DayOfDevices[]): number {
  const told = days
    .filter(({ active }) => active > 0)
    .map(percentageOf)
    .filter((percentage) => percentage !== IMPOSSIBLE);
  return told.length === 0 ? ALL : told.reduce((sum, each) => sum + each, 0) / told.length;
}
