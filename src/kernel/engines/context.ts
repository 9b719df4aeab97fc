import type { Vault } from '../auth/vault.ts';
import type { JarClock } from '../clock/types.ts';
import type { Config } from '../config/config.ts';
import type { Store } from '../store/types.ts';
import type { Logger } from '../telemetry/log.ts';
import type { EngineSettings } from './settings.ts';
import type { SimulatedCollections } from './simulated/collections.ts';

/** The parts of a jar that engines need. */
export interface EngineJar {
  readonly config: Pick<Config, 'engine' | 'host' | 'allowHttpLoopback' | 'data' | 'memory'>;
  readonly store: Store;
  readonly clock: JarClock;
  readonly vault: Vault;
  readonly log: Pick<Logger, 'debug' | 'warn'>;
}

export interface EngineOptions {
  readonly jar: EngineJar;
  /**
   * The label of everything that is created in the engine. An owner sees, watches and removes only objects with its own label, so several
   * owners can share one engine. The label is the same after a restart and on all nodes of a jar, and differs from that of any other jar.
   * See `ownerLabel`.
   */
  readonly owner: string;
  readonly settings: EngineSettings;
  /** Path of the settings in the configuration, for messages: `services.containers`. */
  readonly settingsPath: string;
  /** Collections in which simulated containers are stored. The owner declares them and shares them with no other owner. */
  readonly simulated: SimulatedCollections;
}

export interface EngineContext extends EngineOptions {
  /** `process`: the jar's groups do not outlive its process, so all of them must be removed when it ends. */
  readonly lifetime: 'jar' | 'process';
}
