import { LONGEST_DURATION_MS, parseDuration } from '../../kernel/clock/duration.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** One row of a hook that answers differently by company or resource; the first that fits counts. */
export interface HookRow {
  /** Its id or its name. */
  readonly company?: string;
  /** `customers`, or with its API `v2.0/customers`. */
  readonly resource?: string;
  readonly value: number;
}

/** What stands in for a subscriber of one of the two events by which an extension overrides a setting. */
export type Hook = number | readonly HookRow[];

/** The settings in force, durations in milliseconds. */
export interface Settings {
  readonly apiSubscriptionExpiration: number;
  readonly apiSubscriptionDelayTime: number;
  readonly apiSubscriptionMaxNumberOfNotifications: number;
  readonly apiSubscriptionNotificationUrlTimeout: number;
  readonly apiSubscriptionSendingNotificationTimeout: number;
  /** After the first failed attempt, the second, …; the last holds for all further ones. */
  readonly apiSubscriptionRetrySchedule: readonly number[];
  /** From the first attempt to the last. */
  readonly apiSubscriptionRetryWindow: number;
  readonly onGetDelayTime?: Hook;
  readonly onGetMaxNumberOfNotifications?: Hook;
}

/** What the store has of them: only what was changed. */
export type StoredSettings = Partial<Settings>;

export type SettingName = keyof Settings;

/** The one setting that is a limit, and kept with the limits. */
export const MAXIMUM_SUBSCRIPTIONS = 'apiSubscriptionMaxNumberOfSubscriptions';

interface Range {
  readonly from: number;
  readonly to: number;
}

export type SettingKind = 'duration' | 'durations' | 'count' | 'durationHook' | 'countHook';

interface SettingRow extends Range {
  readonly kind: SettingKind;
  readonly title: string;
}

const LONGEST_TIMEOUT_MS = 10 * MINUTE;
const MOST = 1_000_000;

/** Every setting that can be given in the configuration and at run time, and what it may be. */
export const SETTING_ROWS: Readonly<Record<SettingName, SettingRow>> = {
  apiSubscriptionExpiration: {
    kind: 'duration',
    from: SECOND,
    to: LONGEST_DURATION_MS,
    title: 'The life of a subscription that is not renewed',
  },
  apiSubscriptionDelayTime: { kind: 'duration', from: 0, to: DAY, title: 'From the first change to the notification' },
  apiSubscriptionMaxNumberOfNotifications: {
    kind: 'count',
    from: 1,
    to: MOST,
    title: 'Beyond so many changed records one collection notification is sent',
  },
  apiSubscriptionNotificationUrlTimeout: {
    kind: 'duration',
    from: 1,
    to: LONGEST_TIMEOUT_MS,
    title: 'For the answer to a handshake',
  },
  apiSubscriptionSendingNotificationTimeout: {
    kind: 'duration',
    from: 1,
    to: LONGEST_TIMEOUT_MS,
    title: 'For the answer to a notification',
  },
  apiSubscriptionRetrySchedule: {
    kind: 'durations',
    from: 0,
    to: 30 * DAY,
    title: 'Waits after failed attempts; the last holds for all further ones',
  },
  apiSubscriptionRetryWindow: { kind: 'duration', from: 0, to: 365 * DAY, title: 'From the first attempt to the last' },
  onGetDelayTime: { kind: 'durationHook', from: 0, to: DAY, title: 'Overrides apiSubscriptionDelayTime' },
  onGetMaxNumberOfNotifications: {
    kind: 'countHook',
    from: 1,
    to: MOST,
    title: 'Overrides apiSubscriptionMaxNumberOfNotifications',
  },
};

export const SETTING_NAMES = Object.keys(SETTING_ROWS) as readonly SettingName[];

export const DEFAULT_SETTINGS: Settings = {
  apiSubscriptionExpiration: 3 * DAY,
  apiSubscriptionDelayTime: 30 * SECOND,
  apiSubscriptionMaxNumberOfNotifications: 1000,
  apiSubscriptionNotificationUrlTimeout: 5 * SECOND,
  apiSubscriptionSendingNotificationTimeout: 30 * SECOND,
  apiSubscriptionRetrySchedule: [MINUTE, MINUTE, 10 * MINUTE, 100 * MINUTE, 1000 * MINUTE, 6 * HOUR],
  apiSubscriptionRetryWindow: 36 * HOUR,
};

/** Both spellings of a setting: ours, and the one that the real server's settings have. */
export const spellingsOf = (name: string): readonly [string, string] => [
  name,
  name.charAt(0).toUpperCase() + name.slice(1),
];

/** A value that a setting cannot have, and why. */
export class SettingMistake extends Error {
  readonly setting: string;
  constructor(setting: string, reason: string) {
    super(reason);
    this.setting = setting;
  }
}

/**
 * The given settings by their own names, in milliseconds and numbers; `null` where one is to be put back. What is no setting here is left
 * out: others read it.
 */
export function readSettings(
  given: Readonly<Record<string, unknown>>,
): Partial<Record<SettingName, Settings[SettingName] | null>> {
  const read: Partial<Record<SettingName, Settings[SettingName] | null>> = {};
  for (const name of SETTING_NAMES) {
    const value = givenValue(given, name);
    if (value !== undefined) read[name] = value === null ? null : readValue(name, value);
  }
  return read;
}

/** The maximum number of subscriptions, which is checked like the others and kept elsewhere. */
export function readMaximum(given: Readonly<Record<string, unknown>>): number | null | undefined {
  const value = givenValue(given, MAXIMUM_SUBSCRIPTIONS);
  return value === undefined || value === null ? value : count(MAXIMUM_SUBSCRIPTIONS, value, { from: 0, to: MOST });
}

function givenValue(given: Readonly<Record<string, unknown>>, name: string): unknown {
  const [own, real] = spellingsOf(name);
  if (given[own] !== undefined && given[real] !== undefined)
    throw new SettingMistake(own, `is given twice, also as '${real}'`);
  return given[own] === undefined ? given[real] : given[own];
}

function readValue(name: SettingName, value: unknown): Settings[SettingName] {
  const row = SETTING_ROWS[name];
  switch (row.kind) {
    case 'duration':
      return duration(name, value, row);
    case 'count':
      return count(name, value, row);
    case 'durations':
      return list(name, value).map((each) => duration(name, each, row));
    case 'durationHook':
      return hook(name, value, (each) => duration(name, each, row));
    case 'countHook':
      return hook(name, value, (each) => count(name, each, row));
  }
}

function count(name: string, value: unknown, { from, to }: Range): number {
  if (Number.isInteger(value) && (value as number) >= from && (value as number) <= to) return value as number;
  throw new SettingMistake(name, `must be a whole number from ${from} to ${to}`);
}

/** `3.00:00:00`, as the settings of the real server have it. */
const TIME_SPAN = /^(?:(\d{1,5})\.)?(\d{1,2}):(\d{2}):(\d{2})$/;

function duration(name: string, value: unknown, { from, to }: Range): number {
  const ms = milliseconds(name, value);
  if (ms >= from && ms <= to) return ms;
  throw new SettingMistake(name, `must be from ${from} to ${to} milliseconds, not ${ms}`);
}

function milliseconds(name: string, value: unknown): number {
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new SettingMistake(name, "must be a number of milliseconds or a duration such as '30s'");
  }
  const span = typeof value === 'string' ? TIME_SPAN.exec(value.trim()) : null;
  if (span) {
    const [days = 0, hours = 0, minutes = 0, seconds = 0] = span.slice(1).map((part) => Number(part ?? 0));
    return days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND;
  }
  try {
    return parseDuration(value);
  } catch (error) {
    throw new SettingMistake(name, `must be a duration: ${(error as Error).message}`);
  }
}

const MOST_ROWS = 100;

function list(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0 && value.length <= MOST_ROWS) return value;
  throw new SettingMistake(name, `must be a list of 1 to ${MOST_ROWS}`);
}

function hook(name: string, value: unknown, read: (value: unknown) => number): Hook {
  if (!Array.isArray(value)) return read(value);
  return list(name, value).map((each) => {
    const { company, resource, value: said } = (each ?? {}) as Record<string, unknown>;
    for (const word of [company, resource]) {
      if (word !== undefined && typeof word !== 'string')
        throw new SettingMistake(name, "must name 'company' and 'resource' by texts");
    }
    return {
      ...(company !== undefined && { company: company as string }),
      ...(resource !== undefined && { resource: resource as string }),
      value: read(said),
    };
  });
}
