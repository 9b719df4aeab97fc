import type { Reachable } from '../auth/audience.ts';
import type { KnownNames } from '../auth/known-origin.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Vault } from '../auth/vault.ts';
import type { JarClock } from '../clock/types.ts';
import type { HttpJar } from '../http/jar.ts';
import type { Limits } from '../limits/index.ts';
import type { Store } from '../store/types.ts';
import type { Permissions } from './permissions.ts';
import type { Provider } from './providers.ts';
import type { ResourceHooks } from './resource-hooks.ts';

/** The parts of a jar that the management API needs. */
export interface ArmJar extends HttpJar, Reachable {
  /** The same on all nodes that share a store, and different for every jar. */
  readonly id: string;
  readonly config: HttpJar['config'] & KnownNames;
  readonly store: Store;
  readonly clock: JarClock;
  readonly vault: Vault;
  readonly tokens: Tokens;
  readonly limits: Limits;
  /** Resource types of all services, by namespace. */
  readonly providers: readonly Provider[];
  /** Hooks of all services for deleting and moving resources. */
  readonly resourceHooks: ResourceHooks;
  readonly permissions: Permissions;
}
