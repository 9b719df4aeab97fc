import { mistake, nullable, object, type Read, text, word } from '../api/fields.ts';
import type { Location } from './types.ts';

const LOCATION_TYPES = [
  'default',
  'conferenceRoom',
  'homeAddress',
  'businessAddress',
  'geoCoordinates',
  'streetAddress',
  'hotel',
  'restaurant',
  'localBusiness',
  'postalAddress',
] as const;
const UNIQUE_ID_TYPES = ['unknown', 'locationStore', 'directory', 'private', 'bing'] as const;
const LINE = nullable(text({ longest: 1000 }));

const address = object('physicalAddress', {
  type: word(['unknown', 'home', 'business', 'other']),
  postOfficeBox: LINE,
  street: LINE,
  city: LINE,
  state: LINE,
  countryOrRegion: LINE,
  postalCode: LINE,
});

const decimal: Read<number> = (value, at) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw mistake(at, 'a number is expected');
  return value;
};

const coordinates = object('outlookGeoCoordinates', {
  altitude: nullable(decimal),
  latitude: nullable(decimal),
  longitude: nullable(decimal),
  accuracy: nullable(decimal),
  altitudeAccuracy: nullable(decimal),
});

const fields = object('location', {
  displayName: LINE,
  locationType: word(LOCATION_TYPES),
  uniqueId: LINE,
  uniqueIdType: word(UNIQUE_ID_TYPES),
  address: nullable(address),
  coordinates: nullable(coordinates),
  locationEmailAddress: LINE,
  locationUri: LINE,
});

export const location: Read<Location> = (value, at) => {
  const sent = fields(value, at);
  return {
    displayName: sent.displayName ?? '',
    locationType: sent.locationType ?? 'default',
    uniqueIdType: sent.uniqueIdType ?? (sent.displayName ? 'private' : 'unknown'),
    ...(sent.uniqueId ? { uniqueId: sent.uniqueId } : sent.displayName && { uniqueId: sent.displayName }),
    ...(sent.address && { address: present(sent.address) as Record<string, string> }),
    ...(sent.coordinates && { coordinates: present(sent.coordinates) as Record<string, number> }),
    ...(sent.locationEmailAddress && { locationEmailAddress: sent.locationEmailAddress }),
    ...(sent.locationUri && { locationUri: sent.locationUri }),
  };
};

const present = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));

/** A location of which only the name is known, as in a received mail. */
export const placeNamed = (displayName: string): Location =>
  displayName === ''
    ? NO_LOCATION
    : { displayName, locationType: 'default', uniqueId: displayName, uniqueIdType: 'private' };

export const NO_LOCATION: Location = { displayName: '', locationType: 'default', uniqueIdType: 'unknown' };

export const shownLocation = ({ address: where = {}, coordinates: point = {}, ...rest }: Location) => ({
  ...rest,
  address: where,
  coordinates: point,
});
