import { ALIAS_TABLE } from './alias-table.ts';
import { isCustomZone } from './custom.ts';
import type { ZoneName } from './wall.ts';
import { WINDOWS_TABLE } from './windows-table.ts';
import { isZone } from './zone.ts';

export interface WindowsZone {
  readonly name: string;
  readonly displayName: string;
  readonly iana: ZoneName;
}

/** The zones of `supportedTimeZones`, from west to east. */
export const WINDOWS_ZONES: readonly WindowsZone[] = WINDOWS_TABLE.map(([name, displayName, iana]) => ({
  name,
  displayName,
  iana: name === 'UTC' ? 'UTC' : (iana.split(' ')[0] ?? iana),
}));

/** The API's name for a zone that has rules but no name. */
export const CUSTOM_ZONE = 'tzone://Microsoft/Custom';
const UTC_ZONE = 'tzone://microsoft/utc';

/** Names that Windows no longer has but calendars still send. */
const OBSOLETE_WINDOWS_NAMES: readonly (readonly [name: string, iana: ZoneName])[] = [
  ['Kamchatka Standard Time', 'Asia/Kamchatka'],
  ['Mid-Atlantic Standard Time', 'Etc/GMT+2'],
  ['Armenian Standard Time', 'Asia/Yerevan'],
  ['Mexico Standard Time', 'America/Mexico_City'],
  ['Mexico Standard Time 2', 'America/Mazatlan'],
];

/** Time zone names in the API's documentation that IANA has only under another name. */
const OTHER_DOCUMENTED_NAMES: readonly (readonly [name: string, iana: ZoneName])[] = [
  ['Asia/Toshkent', 'Asia/Tashkent'],
  ['Asia/Astana', 'Asia/Almaty'],
];

/** Display texts of older Windows versions, from before a country changed its offset or the text was reworded. */
const OLDER_DISPLAY_TEXTS: readonly (readonly [displayName: string, iana: ZoneName])[] = [
  ['(UTC) Casablanca', 'Africa/Casablanca'],
  ['(UTC+02:00) Amman', 'Asia/Amman'],
  ['(UTC+02:00) Damascus', 'Asia/Damascus'],
  ['(UTC+03:00) Tbilisi', 'Asia/Tbilisi'],
  ['(UTC+04:00) Volgograd', 'Europe/Volgograd'],
  ['(UTC+06:00) Almaty, Astana', 'Asia/Bishkek'],
  ['(UTC+06:00) Sri Jayawardenepura', 'Asia/Colombo'],
  ['(UTC-01:00) Cape Verde Islands, Cape Verde Is.', 'Atlantic/Cape_Verde'],
  ['(UTC-02:00) Mid-Atlantic, Mid-Atlantic - Old', 'Etc/GMT+2'],
  ['(UTC-03:00) Buenos Aires', 'America/Buenos_Aires'],
  ['(UTC-03:00) Greenland', 'America/Godthab'],
  ['(UTC-04:00) Asuncion', 'America/Asuncion'],
  ['(UTC-04:30) Caracas', 'America/Caracas'],
  ['(UTC-07:00) Chihuahua', 'America/Mazatlan'],
];

const NAME_LIMIT = 255;
const UTC_ALIASES = new Set(['Etc/UTC', 'Etc/GMT']);

/** `(UTC+01:00) Amsterdam, Berlin`, also with GMT and with other blanks. */
const DISPLAY_TEXT = /^\((?:UTC|GMT)\s*(?:([+-])\s*(\d{1,2}):(\d{2}))?\)\s*(.+)$/i;

interface DisplayText {
  readonly minutes: number;
  readonly places: readonly string[];
}

const displayTextOf = (text: string): DisplayText | undefined => {
  const match = DISPLAY_TEXT.exec(text);
  if (!match) return undefined;
  const [, sign, hours = '0', minutes = '0', places = ''] = match;
  const size = Number(hours) * 60 + Number(minutes);
  // Older texts have "Greenwich Mean Time :" before the places.
  const cities = places
    .toLowerCase()
    .replace(/^greenwich mean time\s*:\s*/, '')
    .replaceAll(' and ', ' & ')
    .split(/[,;]/);
  return { minutes: sign === '-' ? -size : size, places: cities.map((place) => place.trim()) };
};

/** Keyed by offset and first place: the list of places has changed over the years, but rarely its first place. */
const placeKey = (minutes: number, place: string): string => `${minutes} ${place}`;

const windowsByName = new Map<string, ZoneName>();
const zoneByPlace = new Map<string, ZoneName>();
const windowsByZone = new Map<ZoneName, string>();
/** CLDR's name by alias. */
const canonicalNames = new Map<ZoneName, ZoneName>();
/** IANA's spelling by lower-case name. */
const spellings = new Map<string, ZoneName>([['utc', 'UTC']]);

for (const [name, iana] of OTHER_DOCUMENTED_NAMES) spellings.set(name.toLowerCase(), iana);
for (const [name, iana] of OBSOLETE_WINDOWS_NAMES) windowsByName.set(name.toLowerCase(), iana);
for (const { name, iana } of WINDOWS_ZONES) windowsByName.set(name.toLowerCase(), iana);
const displayTexts = WINDOWS_ZONES.map(({ displayName, iana }) => [displayName, iana] as const);
for (const [displayName, iana] of [...OLDER_DISPLAY_TEXTS, ...displayTexts]) {
  const text = displayTextOf(displayName);
  for (const place of text?.places ?? []) zoneByPlace.set(placeKey(text?.minutes ?? 0, place), iana);
}
for (const [name, , zones] of WINDOWS_TABLE) {
  for (const zone of zones.split(' ')) {
    windowsByZone.set(zone, name);
    spellings.set(zone.toLowerCase(), zone);
  }
}
for (const line of ALIAS_TABLE) {
  const names = line.split(' ');
  for (const name of names) {
    spellings.set(name.toLowerCase(), name);
    canonicalNames.set(name, names[0] ?? name);
  }
}

/** IANA names look like `Europe/Berlin`, `EST5EDT` or `Etc/GMT+5`. The runtime also accepts offsets, which are not names. */
const IANA_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/;

/** An older runtime lacks zones that are newer than its data. The list does not include fixed offsets, which every runtime has. */
const runtimeZones: ReadonlySet<ZoneName> = new Set(Intl.supportedValuesOf('timeZone'));

const isInRuntime = (zone: ZoneName): boolean => {
  const canonical = canonicalNames.get(zone) ?? zone;
  return canonical === 'UTC' || canonical.startsWith('Etc/') || runtimeZones.has(canonical);
};

const ianaName = (name: string): ZoneName | undefined => {
  const known = spellings.get(name.toLowerCase());
  if (known !== undefined) return isInRuntime(known) ? known : undefined;
  // Names that are newer than the tables. The runtime knows the spelling.
  if (!IANA_NAME.test(name) || !isZone(name)) return undefined;
  return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
};

const zoneOfDisplayText = (text: string): ZoneName | undefined => {
  const display = displayTextOf(text);
  for (const place of display?.places ?? []) {
    const zone = zoneByPlace.get(placeKey(display?.minutes ?? 0, place));
    if (zone !== undefined) return zone;
  }
  return undefined;
};

/** `/mozilla.org/20050126_1/Europe/Berlin`: a registry and a version before the name, which has up to three parts. */
const zoneOfPath = (path: string): ZoneName | undefined => {
  const parts = path.split('/');
  for (const length of [3, 2, 1]) {
    const zone = parts.length > length ? ianaName(parts.slice(-length).join('/')) : undefined;
    if (zone !== undefined) return zone;
  }
  return undefined;
};

/**
 * Resolves the zone name of a client or a calendar: an IANA name or alias or a Windows name, both case-insensitive, a Windows display text,
 * or a name with the prefix of a registry. Returns undefined for other texts, including offsets such as `GMT+6:30`.
 */
export const zoneOf = (name: string): ZoneName | undefined => {
  if (name.length > NAME_LIMIT) return undefined;
  const text = name
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim();
  const lower = text.toLowerCase();
  if (lower === UTC_ZONE) return 'UTC';
  if (text.startsWith('(')) return zoneOfDisplayText(text);
  if (text.startsWith('/')) return zoneOfPath(text);
  return windowsByName.get(lower) ?? ianaName(text);
};

/** The Windows name of a zone; `tzone://Microsoft/Custom` if Windows has no name for it. */
export const windowsName = (zone: ZoneName): string => {
  if (isCustomZone(zone)) return CUSTOM_ZONE;
  const canonical = canonicalNames.get(zone) ?? zone;
  return windowsByZone.get(canonical) ?? CUSTOM_ZONE;
};

/** True if two names mean the same zone: `Asia/Calcutta` and `Asia/Kolkata`, `UTC` and `Etc/GMT`. */
export const isSameZone = (a: ZoneName, b: ZoneName): boolean => {
  const [first, second] = [a, b].map((zone) => {
    const canonical = canonicalNames.get(zone) ?? zone;
    return UTC_ALIASES.has(canonical) ? 'UTC' : canonical;
  });
  return first === second;
};

/** Every IANA name that the runtime knows, including aliases, in alphabetical order. */
export const ianaZones = (): readonly ZoneName[] =>
  [...new Set([...runtimeZones, ...[...spellings.values()].filter(isInRuntime)])].sort();
