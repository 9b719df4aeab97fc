import { systemOf } from '../logs/system-of.ts';
import type { AppLog, Device } from '../logs/types.ts';
import type { DeviceDay, SessionTimes } from './collections.ts';
import type { CountedEvents } from './record-events.ts';

/** Maximum number of sessions with their own entry per device and day; further sessions are only counted. */
const MOST_SESSIONS = 500;

type Build = Pick<DeviceDay, 'version' | 'build'>;

/** Activity of a device on a day while logs are added. */
export class DayDraft {
  readonly #build: Build;
  readonly #sessions: Map<string, SessionTimes>;
  readonly #events: Map<string, number>;
  #traits: Pick<DeviceDay, 'os' | 'model' | 'language' | 'country'>;
  #furtherSessions: number;

  constructor(known: DeviceDay | undefined, build: Build) {
    this.#build = build;
    this.#sessions = new Map(Object.entries(known?.sessions ?? {}));
    this.#events = new Map(Object.entries(known?.events ?? {}));
    this.#furtherSessions = known?.furtherSessions ?? 0;
    const { os, model, language, country } = known ?? {};
    this.#traits = {
      ...(os !== undefined && { os }),
      ...(model !== undefined && { model }),
      ...(language !== undefined && { language }),
      ...(country !== undefined && { country }),
    };
  }

  /** Returns the logs whose sessions did not start on this day. */
  add(logs: readonly AppLog[], events: CountedEvents): readonly AppLog[] {
    for (const log of logs) {
      this.#traits = { ...this.#traits, ...traitsOf(log.device) };
      if (log.type === 'startSession') this.#start(log);
      const countedAs = events.of(log);
      if (countedAs !== undefined) this.#events.set(countedAs, (this.#events.get(countedAs) ?? 0) + 1);
    }
    return this.prolong(logs);
  }

  /** A session lasts until its last log. Returns the logs of other sessions. */
  prolong(logs: readonly AppLog[]): readonly AppLog[] {
    return logs.filter(({ sessionId, at }) => {
      if (sessionId === undefined) return false;
      const session = this.#sessions.get(sessionId);
      if (!session) return true;
      const [start, lastSeen] = session;
      this.#sessions.set(sessionId, [start, Math.max(lastSeen, at)]);
      return false;
    });
  }

  /** Adds sessions whose start has not arrived yet. */
  await(logs: readonly AppLog[]): void {
    for (const { sessionId, at, type } of logs) {
      if (sessionId === undefined || type === 'startSession') continue;
      const known = this.#sessions.get(sessionId);
      if (known || this.#sessions.size < MOST_SESSIONS) {
        this.#sessions.set(sessionId, [null, Math.max(known?.[1] ?? at, at)]);
      }
    }
  }

  finished(): DeviceDay {
    return {
      ...this.#build,
      ...this.#traits,
      sessions: Object.fromEntries(this.#sessions),
      ...(this.#furtherSessions > 0 && { furtherSessions: this.#furtherSessions }),
      events: Object.fromEntries(this.#events),
    };
  }

  #start({ sessionId, at }: AppLog): void {
    const known = this.#sessions.get(sessionId as string);
    if (!known && this.#sessions.size >= MOST_SESSIONS) this.#furtherSessions++;
    // If a session start arrives twice, the first one counts.
    else this.#sessions.set(sessionId as string, [known?.[0] ?? at, Math.max(known?.[1] ?? at, at)]);
  }
}

/** The properties by which devices are counted. */
function traitsOf(device: Device) {
  const { model, locale, carrierCountry } = device;
  const os = systemOf(device);
  const language = locale?.split(/[-_]/)[0]?.toLowerCase();
  return {
    ...(os !== '' && { os }),
    ...(model !== undefined && { model }),
    ...(language !== undefined && language !== '' && { language }),
    ...(carrierCountry !== undefined && { country: carrierCountry.toUpperCase() }),
  };
}
