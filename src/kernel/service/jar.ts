import type { Provider } from '../arm/providers.ts';
import type { ResourceHooks } from '../arm/resource-hooks.ts';
import type { Directory } from '../auth/directory.ts';
import type { SigningKeys } from '../auth/keys.ts';
import type { SeedCredentials } from '../auth/seed-credentials.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Vault } from '../auth/vault.ts';
import type { JarClock } from '../clock/types.ts';
import type { Config } from '../config/config.ts';
import type { DeliveryEngine } from '../delivery/index.ts';
import type { Faults } from '../faults/index.ts';
import type { Feed } from '../feed/index.ts';
import type { Limits } from '../limits/index.ts';
import type { OutboundClient } from '../outbound/client.ts';
import type { Store } from '../store/types.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Where the jar listens; known once it does. */
export interface Addresses {
  httpPort: number;
  httpsPort: number;
}

/** What the kernel hands to every service: configuration, state, time, identity, and a way to say what happens. */
export interface Jar {
  /** The same for all nodes on one store, and no other jar's. */
  readonly id: string;
  readonly config: Config;
  readonly store: Store;
  readonly clock: JarClock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly vault: Vault;
  readonly keys: SigningKeys;
  readonly tokens: Tokens;
  readonly directory: Directory;
  readonly seedCredentials: SeedCredentials;
  readonly addresses: Addresses;
  /** The resource types of all services, by namespace. */
  readonly providers: readonly Provider[];
  /** What the types of all services do when their resources are deleted. */
  readonly resourceHooks: ResourceHooks;
  /** The resource identifiers that tokens can be asked for, of all services. */
  readonly audiences: ReadonlySet<string>;
  /** For calls to others that a user asked for. */
  readonly outbound: OutboundClient;
  /** How many, how often. */
  readonly limits: Limits;
  /** Messages to others, sent until they arrive or may be given up. */
  readonly delivery: DeliveryEngine;
  /** Changes of one service, brought to another. */
  readonly feed: Feed;
  /** What is to go wrong on order. */
  readonly faults: Faults;
  /** Aborted when the jar begins to close; streams end then. */
  readonly closing: AbortSignal;
}
