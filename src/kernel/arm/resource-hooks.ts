import type { Tx } from '../store/types.ts';
import type { Resource } from './collections.ts';

/**
 * Deletes what belongs to a deleted resource, in the transaction that deletes it. `context` is that of the service that offers the type.
 */
// biome-ignore lint/suspicious/noExplicitAny: the context of a service is its own affair
export type OnDelete<Context = any> = (tx: Tx, resource: Resource, context: Context) => Promise<void>;

/**
 * Moves what belongs to a moved resource, in the transaction that moves it: `from` is already deleted from the store, and `to` is written.
 * Called separately for each child. `context` is that of the service that has the hook.
 */
// biome-ignore lint/suspicious/noExplicitAny: the context of a service is its own affair
export type OnMove<Context = any> = (tx: Tx, move: ResourceMove, context: Context) => Promise<void>;

export interface ResourceMove {
  readonly from: Resource;
  readonly to: Resource;
}

/** Hooks of all resource types, for services that delete or move resources of other services. */
export interface ResourceHooks {
  /** Opens the services that offer these types. Must run before a transaction, because a transaction must not load code. */
  ready(types: Iterable<string>): Promise<void>;
  /** Throws if the service of the type is not open. */
  onDelete(tx: Tx, resource: Resource): Promise<void>;
  /** Opens the services that store data about resources. Must run before a transaction. */
  readyToMove(): Promise<void>;
  /** Throws if one of those services is not open. */
  onMove(tx: Tx, move: ResourceMove): Promise<void>;
}
