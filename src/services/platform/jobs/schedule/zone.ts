import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../kernel/time/index.ts';

/** Local time of a zone. A wall time is a local date and time, expressed in milliseconds as if it were UTC. */
export interface Zone {
  /** Milliseconds by which clocks of the zone are ahead of UTC at an instant. */
  offsetAt(instant: number): number;
}

/** `GMT+02:00`, `UTC-5`, `+0530`: ids of zones without rules. */
const FIXED = /^(?:GMT|UTC|UT)?([+-])(\d{1,2})(?::?(\d{2}))?$/;

const LARGEST_OFFSET_MS = 18 * HOUR_MS;

/** The zone of an IANA id, or of a fixed offset in Java's notation; undefined if the zone does not exist. */
export function zoneOf(id: string): Zone | undefined {
  const fixed = FIXED.exec(id);
  if (fixed) {
    const [, sign, hours, minutes = '0'] = fixed;
    const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
    if (size > LARGEST_OFFSET_MS || Number(minutes) > 59) return undefined;
    return { offsetAt: () => (sign === '-' ? -size : size) };
  }
  return namedZone(id);
}

function namedZone(timeZone: string): Zone | undefined {
  let format: Intl.DateTimeFormat;
  try {
    const numeric = 'numeric' as const;
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
  } catch {
    return undefined;
  }
  return {
    offsetAt(instant) {
      const whole = Math.floor(instant / SECOND_MS) * SECOND_MS;
      const parts: Record<string, number> = {};
      for (const { type, value } of format.formatToParts(whole)) parts[type] = Number(value);
      const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
      return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
    },
  };
}

/**
 * The instants at which clocks of the zone show a wall time, in order: two if the hour is repeated, none if it is skipped. `shifted` is the
 * instant that replaces a skipped time: later by as much as clocks were put forward.
 */
export function instantsOf(
  zone: Zone,
  wall: number,
): { readonly instants: readonly number[]; readonly shifted: number } {
  // No zone changes twice within two days.
  const before = zone.offsetAt(wall - DAY_MS);
  const after = zone.offsetAt(wall + DAY_MS);
  const offsets = before === after ? [before] : [before, after];
  const instants = offsets.map((offset) => wall - offset).filter((at) => at + zone.offsetAt(at) === wall);
  return { instants: instants.sort((one, other) => one - other), shifted: wall - before };
}
