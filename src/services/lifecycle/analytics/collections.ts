import { collection, text } from '../../../kernel/store/index.ts';
import type { Device } from '../logs/types.ts';

/**
 * What devices did, day by day (of UTC), for the questions of the analytics API.
 *
 * Logs are not kept to be counted when somebody asks, and there are no counters that all devices of an app would write to, since each
 * would have to wait for all others. What a device did on a day is one document of its own: taking its logs in writes that one and no
 * other's, and a question about thirty days reads as many documents as devices were active on those days, in the order of their keys,
 * however many sessions and events they stand for. Only from such documents can it be told how many different devices there were in a
 * week or a month.
 *
 * All keys begin with the app and the day, so that a day is read, and after ninety days forgotten, as one range.
 */
export interface DeviceDay {
  readonly version: string;
  readonly build: string;
  readonly os?: string;
  readonly model?: string;
  readonly language?: string;
  readonly country?: string;
  /** By their ids. */
  readonly sessions: Readonly<Record<string, SessionTimes>>;
  /** Sessions that were one too many to have an entry. */
  readonly furtherSessions?: number;
  /** How often there was an event, by what it is counted as. */
  readonly events: Readonly<Record<string, number>>;
}

/** Milliseconds since 1970. There is no start where something else of the session came first; it counts once it is known. */
export type SessionTimes = readonly [start: number | null, lastSeen: number];

/** By `app/day/device/version/build`. */
export const deviceDays = collection<DeviceDay>('lifecycle.device_days');

/** The values that the properties of an event had on a device on a day, and how often. */
export interface EventValues {
  readonly version: string;
  readonly properties: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** By `app/day/event/device/version`, the event by what it is counted as. Apart from the days, as few questions are about them. */
export const eventValues = collection<EventValues>('lifecycle.event_values');

export interface EventDefinition {
  readonly id: string;
  readonly name: string;
  /** What stands for it in counts. Another one means that what was counted is forgotten. */
  readonly countedAs: string;
  /** The names of the properties that it ever had, in the order in which they came. */
  readonly properties: readonly string[];
  readonly createdAt: string;
}

/** By `app/name`. */
export const eventDefinitions = collection<EventDefinition>('lifecycle.events');

export type CustomValue = string | number | boolean;

/** What is known of a device now, for audiences. */
export interface DeviceProfile {
  readonly appId: string;
  readonly lastDay: string;
  readonly device: Device;
  readonly userId?: string;
  /** What the app itself has set; times are ISO texts. */
  readonly properties: Readonly<Record<string, { readonly type: CustomType; readonly value: CustomValue }>>;
}

export const CUSTOM_TYPES = ['string', 'number', 'boolean', 'date_time'] as const;
export type CustomType = (typeof CUSTOM_TYPES)[number];

/** By `app/device`. */
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

/** By `app/name`. */
export const audiences = collection<Audience>('lifecycle.audiences');

export const ANALYTICS_COLLECTIONS = [deviceDays, eventValues, eventDefinitions, deviceProfiles, audiences];
