import type { App } from '../collections.ts';

/** The log format of the public SDKs, posted to `/logs`. Other modules see it validated and normalised. */

export interface Device {
  readonly sdkName?: string;
  readonly sdkVersion?: string;
  readonly model?: string;
  readonly oemName?: string;
  readonly osName?: string;
  readonly osVersion?: string;
  readonly osBuild?: string;
  readonly osApiLevel?: number;
  readonly locale?: string;
  readonly timeZoneOffset?: number;
  readonly screenSize?: string;
  readonly appVersion?: string;
  readonly appBuild?: string;
  readonly appNamespace?: string;
  readonly carrierName?: string;
  readonly carrierCountry?: string;
}

/** One log. `content` is the whole log as sent; the other properties are common to all types. */
export interface AppLog {
  readonly type: string;
  /** Milliseconds since 1970: the device's time, or the time of arrival if the former is impossible. */
  readonly at: number;
  readonly sessionId?: string;
  readonly userId?: string;
  readonly device: Device;
  readonly content: Readonly<Record<string, unknown>>;
}

/** The logs of one request. */
export interface Delivery {
  readonly app: App;
  readonly installId: string;
  /** In the jar's time. */
  readonly receivedAt: number;
  readonly logs: readonly AppLog[];
}
