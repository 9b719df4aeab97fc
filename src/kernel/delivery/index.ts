import type { Vault } from '../auth/vault.ts';
import type { JarClock } from '../clock/types.ts';
import type { Config } from '../config.ts';
import type { Faults } from '../faults/index.ts';
import type { OutboundClient } from '../outbound/client.ts';
import type { WorkHandler } from '../service.ts';
import type { Collection, Store } from '../store/types.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export interface DeliveryPolicy {
  readonly name: string;
}

export interface DeliveryOptions {
  readonly config: Config;
  readonly store: Store;
  readonly clock: JarClock;
  readonly vault: Vault;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly outbound: OutboundClient;
  readonly faults: Faults;
  readonly policies: readonly DeliveryPolicy[];
}

export interface DeliveryEngine {
  /** Its part of the due work. */
  readonly work: Readonly<Record<string, WorkHandler>>;
}

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
export const deliveryCollections: readonly Collection<any>[] = [];

export function createDelivery(_options: DeliveryOptions): DeliveryEngine {
  return { work: {} };
}
