import type { Jar } from '../../kernel/jar-context.ts';
import type { Tx } from '../../kernel/store/types.ts';
import type { GridEvent } from './event.ts';

/** An event and the scopes whose subscriptions it concerns: its topic, and what that is part of. Keys, in lower case. */
export interface Publication {
  readonly event: GridEvent;
  readonly scopes: readonly string[];
}

/** Matches events with subscriptions and queues what follows, in the transaction whose commit acknowledges them. */
export async function acceptEvents(_tx: Tx, _jar: Jar, _publications: readonly Publication[]): Promise<void> {
  throw new Error('not there yet');
}
