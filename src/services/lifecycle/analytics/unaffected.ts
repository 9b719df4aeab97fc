/** How many of the devices that were active on a day had no crash or error. */

/** As the real service has it where more devices were affected than were active. */
const IMPOSSIBLE = -1;
const ALL = 100;

export interface DayOfDevices {
  readonly affected: number;
  readonly active: number;
}

/** Where nobody was active, nobody was affected. */
export function percentageOf({ affected, active }: DayOfDevices): number {
  if (affected > active) return IMPOSSIBLE;
  return active === 0 ? ALL : ALL * (1 - affected / active);
}

/** Of the days on which somebody was active and that can be. */
export function averageOf(days: readonly DayOfDevices[]): number {
  const told = days
    .filter(({ active }) => active > 0)
    .map(percentageOf)
    .filter((percentage) => percentage !== IMPOSSIBLE);
  return told.length === 0 ? ALL : told.reduce((sum, each) => sum + each, 0) / told.length;
}
