import type { Tx } from '../store/types.ts';
import type { Resource } from './collections.ts';

/** What else goes when a resource goes, in the transaction that deletes it. `context` is that of the service that offers the type. */
// biome-ignore lint/suspicious/noExplicitAny: the context of a service is its own affair
export type OnDelete<Context = any> = (tx: Tx, resource: Resource, context: Context) => Promise<void>;

/**
 * What else moves when a resource moves, in the transaction that moves it: `from` is gone from the store, and `to` is there. Children move by
 * calls of their own. `context` is that of the service that has the hook.
 */
// biome-ignore lint/suspicious/noExplicitAny: the context of a service is its own affair
export type OnMove<Context = any> = (tx: Tx, move: ResourceMove, context: Context) => Promise<void>;

export interface ResourceMove {
  readonly from: Resource;
  readonly to: Resource;
}

/** The hooks of all resource types, for those who delete or move resources of types that are not their own. */
export interface ResourceHooks {
  /** Opens the services that offer these types. Before a transaction, since nothing may be loaded within one. */
  ready(types: Iterable<string>): Promise<void>;
  /** Throws where the service of the type is not open. */
  onDelete(tx: Tx, resource: Resource): Promise<void>;
  /** Opens the services that keep something at resources. Before a transaction. */
  readyToMove(): Promise<void>;
  /** Throws where one of those services is not open. */
  onMove(tx: Tx, move: ResourceMove): Promise<void>;
}
