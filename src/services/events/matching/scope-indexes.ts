import type { Jar } from '../../../kernel/jar-context.ts';
import type { Tx } from '../../../kernel/store/types.ts';
import type { EventSubscription } from '../collections.ts';
import type { GridEvent } from '../event.ts';

/** The live subscriptions of one scope, ready to be asked. */
export interface ScopeSubscriptions {
  readonly size: number;
  /** Those that an event passes the filters of; keys and subscriptions. */
  matching(event: GridEvent): readonly { readonly key: string; readonly subscription: EventSubscription }[];
}

/** As they are in this transaction, and stay until it ends. Undefined where there are none. */
export async function subscriptionsOf(_jar: Jar, _tx: Tx, _scope: string): Promise<ScopeSubscriptions | undefined> {
  throw new Error('not there yet');
}

/** To be called with every write to a subscription of the scope, in the same transaction; `by` is how many more there are. */
export async function touchScope(_tx: Tx, _scope: string, _by: -1 | 0 | 1): Promise<void> {
  throw new Error('not there yet');
}
