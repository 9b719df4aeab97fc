import type { Jar } from '../../../kernel/jar-context.ts';
import type { Tx } from '../../../kernel/store/types.ts';

/** All subscriptions at a scope and below it, in the transaction that deletes the scope. `scope` is its id in lower case. */
export async function removeSubscriptionsOf(_tx: Tx, _jar: Jar, _scope: string): Promise<void> {
  throw new Error('not there yet');
}
