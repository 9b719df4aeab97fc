import { collection, text } from '../../../kernel/store/index.ts';
import type { Device } from '../logs/types.ts';

/**
 * Daily activity of devices (UTC days), for the analytics API.
 *
 * Logs are not kept for counting on demand, and there are no counters shared by all devices of an app, because their writes would block
 * each other. Each device has one document per day: recording its logs writes only that document, and a query over thirty days reads as
 * many documents as devices were active on those days, in key order, however many sessions and events they contain. Only such documents
 * allow counting distinct devices per week or month.
 *
 * All keys begin with the app and the day, so that a day can be read, and deleted after ninety days, as one key range.
 */
export interface DeviceDay {
  readonly version: string;
  readonly build: string;
  readonly os?: string;
  readonly model?: string;
  readonly language?: string;
  readonly country?: string;
  /** Keyed by session id. */
  readonly sessions: Readonly<Record<string, SessionTimes>>;
  /** Sessions beyond the maximum number of entries; only counted. */
  readonly furtherSessions?: number;
  /** Number of occurrences per event, keyed by `countedAs`. */
  readonly events: Readonly<Record<string, number>>;
}

/** Milliseconds since 1970. `start` is null if another log of the session arrived first; the session is counted when its start is known. */
export type SessionTimes = readonly [start: number | null, lastSeen: number];

/** Keyed by `app/day/device/version/build`. */
export const deviceDays = collection<DeviceDay>('lifecycle.device_days');

/** The values of an event's properties on one device and day, with counts. */
export interface EventValues {
  readonly version: string;
  readonly properties: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/**
 * Keyed by `app/day/event/device/version`, where the event is its `countedAs`. Separate from `deviceDays`, because few queries need them.
 */
export const eventValues = collection<EventValues>('lifecycle.event_values');

export interface EventDefinition {
  readonly id: string;
  readonly name: string;
  /** Identifies the event in counts. A deleted event gets a new one, which discards its old counts. */
  readonly countedAs: string;
  /** The names of all properties ever seen, in order of first appearance. */
  readonly properties: readonly string[];
  readonly createdAt: string;
}

/** Keyed by `app/name`. */
export const eventDefinitions = collection<EventDefinition>('lifecycle.events');

export type CustomValue = string | number | boolean;

/** Current properties of a device, for audiences. */
export interface DeviceProfile {
  readonly appId: string;
  readonly lastDay: string;
  readonly device: Device;
  readonly userId?: string;
  /** Custom properties set by the app; times are ISO texts. */
  readonly properties: Readonly<Record<string, { readonly type: CustomType; readonly value: CustomValue }>>;
}

export const CUSTOM_TYPES = ['string', 'number', 'boolean', 'date_time'] as const;
export type CustomType = (typeof CUSTOM_TYPES)[number];

/** Keyed by `app/device`. */
export const deviceProfiles = collection<DeviceProfile>('lifecycle.devices', {
  fields: { appId: text(({ appId }) => appId), lastDay: text(({ lastDay }) => lastDay) },
  indexes: [['appId', 'lastDay']],
});

export interface Audience {
  readonly name: string;
  readonly description?: string;
  readonly definition: string;
  readonly enabled: boolean;
  readonly customProperties: Readonly<Record<string, CustomType>>;
  readonly createdAt: string;
}

/** Keyed by `app/name`. */
export const audiences = collection<Audience>('lifecycle.audiences');

export const ANALYTICS_COLLECTIONS = [deviceDays, eventValues, eventDefinitions, deviceProfiles, audiences];
