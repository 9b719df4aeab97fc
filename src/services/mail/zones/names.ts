import type { ZoneName } from './wall.ts';

export interface WindowsZone {
  readonly name: string;
  readonly displayName: string;
  readonly iana: ZoneName;
}

export declare const WINDOWS_ZONES: readonly WindowsZone[];
export declare const CUSTOM_ZONE: string;
export declare const zoneOf: (name: string) => ZoneName | undefined;
export declare const windowsName: (zone: ZoneName) => string;
export declare const ianaZones: () => readonly ZoneName[];
