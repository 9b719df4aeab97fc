import type { Vault } from '../auth/vault.ts';
import type { JarClock } from '../clock/types.ts';
import type { Config } from '../config/config.ts';
import type { Store } from '../store/types.ts';
import type { Logger } from '../telemetry/log.ts';
import type { EngineSettings } from './settings.ts';
import type { SimulatedCollections } from './simulated/collections.ts';

/** What engines need of the jar. */
export interface EngineJar {
  readonly config: Pick<Config, 'engine' | 'host' | 'allowHttpLoopback' | 'data' | 'memory'>;
  readonly store: Store;
  readonly clock: JarClock;
  readonly vault: Vault;
  readonly log: Pick<Logger, 'debug' | 'warn'>;
}

/** Who opens an engine, and what for. */
export interface EngineOptions {
  readonly jar: EngineJar;
  /**
   * The label of all that is made in an engine. Whoever opens an engine sees, watches and removes what carries its own label and
   * nothing else, so that several can use one engine side by side. The same after a restart and on all nodes of a jar; no other
   * jar's. See `ownerLabel`.
   */
  readonly owner: string;
  readonly settings: EngineSettings;
  /** Where the settings are in the configuration, for messages: `services.containers`. */
  readonly settingsPath: string;
  /** Where simulated containers are stored: collections that the owner declares, and shares with nobody. */
  readonly simulated: SimulatedCollections;
}

/** What an engine is opened with. */
export interface EngineContext extends EngineOptions {
  /** `process`: the jar forgets its groups when its process ends, so that nothing may be left of them then. */
  readonly lifetime: 'jar' | 'process';
}
