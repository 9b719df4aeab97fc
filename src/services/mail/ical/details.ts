import { decodeBytes } from '../mime/charset.ts';
import { CALENDAR_BOUNDS } from './bounds.ts';
import type { ContentLine } from './lines.ts';
import { type ComponentNode, propertiesOf, propertyOf, textValue } from './tree.ts';
import type { CalendarAttachment, CalendarLocation } from './types.ts';
import { unescapeText } from './values.ts';

const LONGEST_URL = 2_048;

const parameter = (line: ContentLine | undefined, name: string): string => line?.parameters.get(name)?.[0] ?? '';

/** Outlook's X-ALT-DESC, otherwise Thunderbird's DESCRIPTION;ALTREP="data:text/html,...". */
export function readHtml(node: ComponentNode): string {
  const alternative = propertiesOf(node, 'X-ALT-DESC').find((line) =>
    /^text\/html\b/i.test(parameter(line, 'FMTTYPE')),
  );
  if (alternative) return unescapeText(alternative.value);
  return htmlOfDataUri(parameter(propertyOf(node, 'DESCRIPTION'), 'ALTREP'));
}

function htmlOfDataUri(uri: string): string {
  const [, options, data] = /^data:text\/html([^,]*),(.*)$/is.exec(uri) ?? [];
  if (options === undefined || data === undefined) return '';
  if (/;base64$/i.test(options)) return decodeBytes(Buffer.from(data, 'base64'), 'utf-8');
  try {
    return decodeURIComponent(data);
  } catch {
    return data;
  }
}

/** X-MICROSOFT-LOCATIONS (JSON), otherwise the pieces of LOCATION between semicolons. Empty for a single location. */
export function readLocations(node: ComponentNode): readonly CalendarLocation[] {
  const listed = locationsOfJson(unescapeText(textValue(node, 'X-MICROSOFT-LOCATIONS')));
  if (listed.length > 0) return listed;
  const pieces = unescapeText(textValue(node, 'LOCATION'))
    .split(';', CALENDAR_BOUNDS.valuesOfOneProperty)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  return pieces.length > 1 ? pieces.map((displayName) => ({ displayName })) : [];
}

function locationsOfJson(text: string): readonly CalendarLocation[] {
  if (!text.trimStart().startsWith('[')) return [];
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(list)) return [];
  return list
    .slice(0, CALENDAR_BOUNDS.valuesOfOneProperty)
    .map(locationOf)
    .filter((location) => location !== undefined);
}

function locationOf(value: unknown): CalendarLocation | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const members = new Map<string, unknown>(Object.entries(value));
  const text = (name: string): string => {
    const member = members.get(name);
    return typeof member === 'string' ? member.trim() : '';
  };
  const number = (name: string): number | undefined => {
    const size = Number.parseFloat(String(members.get(name)));
    return Number.isFinite(size) ? size : undefined;
  };
  const displayName = text('DisplayName') || text('LocationAnnotation');
  if (displayName === '') return undefined;
  const address = text('LocationFullAddress') || text('LocationStreet');
  const uri = text('LocationUri');
  const [latitude, longitude] = [number('Latitude'), number('Longitude')];
  return {
    displayName,
    ...(address === '' ? {} : { address }),
    ...(uri === '' ? {} : { uri }),
    ...(latitude === undefined || longitude === undefined ? {} : { latitude, longitude }),
  };
}

/** In order of preference: properties that are certainly a join URL come before a URL that may be any page. */
const JOIN_PROPERTIES = [
  'X-MICROSOFT-SKYPETEAMSMEETINGURL',
  'X-MICROSOFT-ONLINEMEETINGEXTERNALLINK',
  'X-MICROSOFT-ONLINEMEETINGCONFLINK',
  'CONFERENCE',
  'X-GOOGLE-CONFERENCE',
  'URL',
];

export function readJoinUrl(node: ComponentNode): string | undefined {
  for (const name of JOIN_PROPERTIES) {
    for (const line of propertiesOf(node, name)) {
      const url = line.value.trim();
      if (/^https?:\/\/[^\s"<>]+$/i.test(url) && url.length <= LONGEST_URL) return url;
    }
  }
  return undefined;
}

export function readAttachments(node: ComponentNode): readonly CalendarAttachment[] {
  return propertiesOf(node, 'ATTACH')
    .slice(0, CALENDAR_BOUNDS.valuesOfOneProperty)
    .map(attachmentOf)
    .filter((attachment) => attachment !== undefined);
}

function attachmentOf(line: ContentLine): CalendarAttachment | undefined {
  const name = parameter(line, 'FILENAME') || parameter(line, 'X-FILENAME') || parameter(line, 'X-APPLE-FILENAME');
  const contentType = parameter(line, 'FMTTYPE').toLowerCase();
  const value = line.value.trim();
  if (parameter(line, 'ENCODING').toUpperCase() === 'BASE64' || parameter(line, 'VALUE').toUpperCase() === 'BINARY') {
    return { kind: 'bytes', bytes: Buffer.from(value, 'base64'), name, contentType };
  }
  return value === '' ? undefined : { kind: 'uri', uri: value, name, contentType };
}
