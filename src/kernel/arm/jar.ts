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

/** What the management API needs of the jar. */
export interface ArmJar extends HttpJar, Reachable {
  /** The same for all nodes on one store, and no other jar's. */
  readonly id: string;
  readonly config: HttpJar['config'] & KnownNames;
  readonly store: Store;
  readonly clock: JarClock;
  readonly vault: Vault;
  readonly tokens: Tokens;
  readonly limits: Limits;
  /** The resource types of all services, by namespace. */
  readonly providers: readonly Provider[];
  /** What the types of all services do when their resources are deleted. */
  readonly resourceHooks: ResourceHooks;
  readonly permissions: Permissions;
}
