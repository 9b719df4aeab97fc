import type { ZoneName } from './wall.ts';

export interface WindowsZone {
  readonly name: string;
  readonly displayName: string;
  readonly iana: ZoneName;
}

export const WINDOWS_ZONES: readonly WindowsZone[] = [];
export const CUSTOM_ZONE = 'tzone://Microsoft/Custom';
export const zoneOf = (name: string): ZoneName | undefined =>
  name === 'Pacific Standard Time' ? 'America/Los_Angeles' : name;
export const windowsName = (zone: ZoneName): string => zone;
export const ianaZones = (): readonly ZoneName[] => [];
