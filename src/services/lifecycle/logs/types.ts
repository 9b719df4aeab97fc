import type { App } from '../collections.ts';

/** What an app tells of itself, as the public SDKs post it to `/logs`. Checked and completed by the time anybody else sees it. */

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

/** One log. `content` is all of it as sent; what is beside it is what every type has. */
export interface AppLog {
  readonly type: string;
  /** Milliseconds since 1970: when it happened by the device, or when it arrived where that cannot be. */
  readonly at: number;
  readonly sessionId?: string;
  readonly userId?: string;
  readonly device: Device;
  readonly content: Readonly<Record<string, unknown>>;
}

/** What one request brought. */
export interface Delivery {
  readonly app: App;
  readonly installId: string;
  /** By the jar's clock. */
  readonly receivedAt: number;
  readonly logs: readonly AppLog[];
}
