import type { JarClock } from '../clock/types.ts';
import type { Config } from '../config.ts';
import type { Collection, Store } from '../store/types.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** A row of a service's table of limits. */
export interface Limit {
  readonly name: string;
}

export interface LimitsOptions {
  readonly config: Config;
  readonly store: Store;
  readonly clock: JarClock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly table: readonly Limit[];
}

export interface Limits {
  /** Forgets what was counted; part of a reset. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
export const limitCollections: readonly Collection<any>[] = [];

export async function openLimits(_options: LimitsOptions): Promise<Limits> {
  return { reset: async () => {}, close: async () => {} };
}
