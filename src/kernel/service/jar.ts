import type { SecureContext } from 'node:tls';
import type { ArmJar } from '../arm/jar.ts';
import type { Directory } from '../auth/directory.ts';
import type { SigningKeys } from '../auth/keys.ts';
import type { Lifetimes } from '../auth/lifetimes.ts';
import type { SeedCredentials } from '../auth/seed-credentials.ts';
import type { Config } from '../config/config.ts';
import type { DeliveryEngine } from '../delivery/index.ts';
import type { Faults } from '../faults/index.ts';
import type { Feed } from '../feed/index.ts';
import type { OutboundClient } from '../outbound/client.ts';
import type { Health } from '../telemetry/health.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** The ports that the jar listens on; set when it does. */
export interface Addresses {
  httpPort: number;
  httpsPort: number;
  /** The port of the mail server; 0 if there is none. */
  smtpPort: number;
  /** The port of the name server; absent if there is none. */
  dnsPort?: number;
}

/** TLS certificates for ports of services. */
export interface Certificates {
  /**
   * Returns a context with a certificate of the jar's own authority, created by the first call; `servername` is the name that the client
   * asks for (SNI).
   */
  context(servername?: string): SecureContext;
}

/** The interfaces of the kernel that every service gets: configuration, state, time, identity and reporting. */
export interface Jar extends ArmJar {
  readonly config: Config;
  readonly metrics: Metrics;
  /** The state of the jar's dependencies. */
  readonly health: Health;
  readonly keys: SigningKeys;
  /** Decides whether a credential with a default lifetime is still valid. */
  readonly lifetimes: Lifetimes;
  readonly directory: Directory;
  readonly seedCredentials: SeedCredentials;
  readonly addresses: Addresses;
  readonly certificates: Certificates;
  /** For requests to addresses that users provide. */
  readonly outbound: OutboundClient;
  /** Delivers messages to receivers, with retries. */
  readonly delivery: DeliveryEngine;
  /** Delivers changes of one service to another. */
  readonly feed: Feed;
  /** Fault injection. */
  readonly faults: Faults;
}
