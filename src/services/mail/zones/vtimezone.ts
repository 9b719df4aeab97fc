import type { Wall, ZoneName } from './wall.ts';

/** STANDARD or DAYLIGHT of a VTIMEZONE. Offsets are milliseconds east of UTC; `start` and `dates` are in `offsetFrom`. */
export interface Observance {
  readonly offsetFrom: number;
  readonly offsetTo: number;
  readonly start: Wall;
  readonly rule?: string;
  readonly dates: readonly Wall[];
  readonly isDaylight: boolean;
}

export interface Vtimezone {
  readonly tzid: string;
  readonly lines: readonly string[];
}

/** `around` is the start of the event; `hints` are other names of the zone (X-LIC-LOCATION, X-WR-TIMEZONE). */
export declare const zoneOfVtimezone: (
  tzid: string,
  observances: readonly Observance[],
  around: Wall,
  hints?: readonly string[],
) => ZoneName | undefined;
export declare const vtimezoneOf: (zone: ZoneName, around: number) => Vtimezone;
