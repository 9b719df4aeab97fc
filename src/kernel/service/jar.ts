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

/** Where the jar listens; known once it does. */
export interface Addresses {
  httpPort: number;
  httpsPort: number;
  /** Of the mail server; 0 where there is none. */
  smtpPort: number;
  /** Of the name server; absent where there is none. */
  dnsPort?: number;
}

/** For ports of services that speak TLS. */
export interface Certificates {
  /** Of the jar's own authority; `servername` is what the client asks for. Made with the first call. */
  context(servername?: string): SecureContext;
}

/** What the kernel hands to every service: configuration, state, time, identity, and a way to say what happens. */
export interface Jar extends ArmJar {
  readonly config: Config;
  readonly metrics: Metrics;
  /** What the jar depends on, and how that is. */
  readonly health: Health;
  readonly keys: SigningKeys;
  /** Whether a credential with a default lifetime is still good. */
  readonly lifetimes: Lifetimes;
  readonly directory: Directory;
  readonly seedCredentials: SeedCredentials;
  readonly addresses: Addresses;
  readonly certificates: Certificates;
  /** For calls to others that a user asked for. */
  readonly outbound: OutboundClient;
  /** Messages to others, sent until they arrive or may be given up. */
  readonly delivery: DeliveryEngine;
  /** Changes of one service, brought to another. */
  readonly feed: Feed;
  /** What is to go wrong on order. */
  readonly faults: Faults;
}
