import { describe, expect, test } from 'vitest';
import {
  CUSTOM_ZONE,
  ianaZones,
  isSameZone,
  WINDOWS_ZONES,
  windowsName,
  zoneOf,
} from '../../../../src/services/mail/zones/names.ts';
import { isZone, offsetAt } from '../../../../src/services/mail/zones/zone.ts';

/** IANA names that the API's reference lists. */
const DOCUMENTED =
  `Etc/GMT+12 Etc/GMT+11 Etc/GMT+2 Etc/GMT Etc/GMT-12 Pacific/Honolulu America/Anchorage America/Santa_Isabel
America/Los_Angeles America/Phoenix America/Chihuahua America/Denver America/Guatemala America/Chicago America/Mexico_City America/Regina
America/Bogota America/New_York America/Indiana/Indianapolis America/Caracas America/Asuncion America/Halifax America/Cuiaba America/La_Paz
America/Santiago America/St_Johns America/Sao_Paulo America/Argentina/Buenos_Aires America/Cayenne America/Godthab America/Montevideo
America/Bahia Atlantic/Azores Atlantic/Cape_Verde Atlantic/Reykjavik Africa/Casablanca Africa/Lagos Africa/Windhoek Africa/Cairo
Africa/Johannesburg Africa/Nairobi Europe/London Europe/Berlin Europe/Budapest Europe/Paris Europe/Warsaw Europe/Bucharest Europe/Kyiv
Europe/Istanbul Europe/Kaliningrad Europe/Moscow Asia/Beirut Asia/Damascus Asia/Jerusalem Asia/Amman Asia/Baghdad Asia/Riyadh Asia/Tehran
Asia/Dubai Asia/Baku Asia/Tbilisi Asia/Yerevan Asia/Kabul Asia/Karachi Asia/Tashkent Asia/Kolkata Asia/Colombo Asia/Kathmandu Asia/Almaty
Asia/Dhaka Asia/Yekaterinburg Asia/Yangon Asia/Rangoon Asia/Bangkok Asia/Novosibirsk Asia/Shanghai Asia/Krasnoyarsk Asia/Singapore
Asia/Taipei Asia/Ulaanbaatar Asia/Irkutsk Asia/Tokyo Asia/Seoul Asia/Yakutsk Asia/Vladivostok Asia/Magadan Indian/Mauritius Australia/Perth
Australia/Adelaide Australia/Darwin Australia/Brisbane Australia/Sydney Australia/Hobart Pacific/Port_Moresby Pacific/Guadalcanal
Pacific/Auckland Pacific/Fiji Pacific/Tongatapu Pacific/Apia Pacific/Kiritimati`.split(/\s+/);

describe('the table of Windows names', () => {
  test('has 139 zones, each once, and the runtime knows every IANA name of it', () => {
    expect(WINDOWS_ZONES).toHaveLength(139);
    expect(new Set(WINDOWS_ZONES.map(({ name }) => name)).size).toBe(139);
    expect(WINDOWS_ZONES.filter(({ iana }) => !isZone(iana))).toEqual([]);
  });

  test('gives every name its zone and the zone its name, in any case', () => {
    for (const { name, iana } of WINDOWS_ZONES) {
      expect(zoneOf(name)).toBe(iana);
      expect(zoneOf(name.toUpperCase())).toBe(iana);
      expect(windowsName(iana)).toBe(name);
    }
  });

  test('shows the standard offset that the zone has', () => {
    for (const { displayName, iana } of WINDOWS_ZONES) {
      const [, sign = '+', hours = '0', minutes = '0'] = /^\(UTC(?:([+-])(\d\d):(\d\d))?\) /.exec(displayName) ?? [];
      const shown = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
      const offsets = [Date.UTC(2025, 0, 15), Date.UTC(2025, 6, 15)].map((at) => offsetAt(iana, at) / 60_000);
      expect(offsets, `${displayName} ${iana}`).toContain(shown);
      expect(zoneOf(displayName)).toBe(iana);
    }
  });
});

describe('IANA names', () => {
  test('every one that the runtime lists is known under its own spelling, in any case', () => {
    const names = ianaZones();
    expect(names.length).toBeGreaterThan(590);
    for (const name of names) {
      expect(zoneOf(name)).toBe(name);
      expect(zoneOf(name.toLowerCase())).toBe(name);
    }
    for (const name of Intl.supportedValuesOf('timeZone')) expect(names).toContain(name);
  });

  test('two names that the reference gives beside those of IANA are accepted', () => {
    expect([zoneOf('Asia/Toshkent'), zoneOf('asia/astana')]).toEqual(['Asia/Tashkent', 'Asia/Almaty']);
  });

  test('those that the reference of the API lists are among them', () => {
    const names = new Set(ianaZones());
    expect(DOCUMENTED.filter((name) => !names.has(name))).toEqual([]);
  });

  test('every zone has a Windows name but one, which Windows does not have', () => {
    expect(ianaZones().filter((zone) => windowsName(zone) === CUSTOM_ZONE)).toEqual(['Antarctica/Troll']);
  });

  test.each([
    ['Asia/Kolkata', 'India Standard Time'],
    ['Asia/Calcutta', 'India Standard Time'],
    ['Europe/Kyiv', 'FLE Standard Time'],
    ['Europe/Vienna', 'W. Europe Standard Time'],
    ['US/Pacific', 'Pacific Standard Time'],
    ['America/Argentina/Buenos_Aires', 'Argentina Standard Time'],
    ['Etc/UTC', 'UTC'],
    ['UTC', 'UTC'],
    ['GMT', 'UTC'],
    ['Asia/Almaty', 'West Asia Standard Time'],
    ['posix:STD-1', CUSTOM_ZONE],
  ])('%s is %s of Windows', (zone, name) => {
    expect(windowsName(zone)).toBe(name);
  });

  test('aliases are the same zone', () => {
    expect(isSameZone('Asia/Calcutta', 'Asia/Kolkata')).toBe(true);
    expect(isSameZone('UTC', 'Etc/GMT')).toBe(true);
    expect(isSameZone('Europe/Berlin', 'Europe/Paris')).toBe(false);
  });
});

describe('other forms of names', () => {
  test.each([
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['"W. Europe Standard Time"', 'Europe/Berlin'],
    [' Pacific Standard Time ', 'America/Los_Angeles'],
    ['Pacific Standard Time (Mexico)', 'America/Tijuana'],
    ['Russia Time Zone 11', 'Asia/Kamchatka'],
    ['Kamchatka Standard Time', 'Asia/Kamchatka'],
    ['Mid-Atlantic Standard Time', 'Etc/GMT+2'],
    ['utc-11', 'Etc/GMT+11'],
    ['tzone://Microsoft/Utc', 'UTC'],
    ['TZONE://MICROSOFT/UTC', 'UTC'],
    ['/mozilla.org/20050126_1/Europe/Berlin', 'Europe/Berlin'],
    ['/citadel.org/20190914_1/America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['/freeassociation.sourceforge.net/Tzfile/Europe/London', 'Europe/London'],
    ['/freeassociation.sourceforge.net/UTC', 'UTC'],
    ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', 'Europe/Berlin'],
    ['(GMT+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', 'Europe/Berlin'],
    ['(UTC+02:00) Athens, Bucharest, Istanbul', 'Europe/Bucharest'],
    ['(UTC) Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London', 'Europe/London'],
    ['(UTC-08:00) Pacific Time (US and Canada); Tijuana', 'America/Los_Angeles'],
    ['(UTC-04:00) Asuncion', 'America/Asuncion'],
  ])('%s means %s', (name, zone) => {
    expect(zoneOf(name)).toBe(zone);
  });

  test.each(
    [
      '',
      'GMT+6:30',
      '+01:00',
      'UTC+1',
      'Z',
      'Mars/Olympus',
      'Customized Time Zone',
      'tzone://Microsoft/Custom',
      'posix:STD-1',
      '(UTC+05:00) Berlin',
      '/mozilla.org/20050126_1/Europe/Nowhere',
      '/'.repeat(200),
      'x'.repeat(100_000),
      '(UTC+01:00) '.repeat(20),
      '__proto__',
      'constructor',
    ].map((text) => [text.slice(0, 40), text] as const),
  )('"%s" is no zone', (_shown, name) => {
    expect(zoneOf(name)).toBeUndefined();
  });
});
