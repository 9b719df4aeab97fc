import type { Tx } from '../store/types.ts';
import type { Resource } from './collections.ts';

/** What else goes when a resource goes, in the transaction that deletes it. `context` is that of the service that offers the type. */
// biome-ignore lint/suspicious/noExplicitAny: the context of a service is its own affair
export type OnDelete<Context = any> = (tx: Tx, resource: Resource, context: Context) => Promise<void>;

/** The deletion hooks of all resource types, for those who delete resources of types that are not their own. */
export interface ResourceHooks {
  /** Opens the services that offer these types. Before a transaction, since nothing may be loaded within one. */
  ready(types: Iterable<string>): Promise<void>;
  /** Throws where the service of the type is not open. */
  onDelete(tx: Tx, resource: Resource): Promise<void>;
}
