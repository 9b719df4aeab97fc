import type { Tx } from '../../../kernel/store/index.ts';

/**
 * Channel and partner topic (or partner destination) change together, from either side: whoever changes one of them holds this lock first,
 * so that neither waits for the other. `target` is the key of the partner topic or partner destination.
 */
export const lockTarget = (tx: Tx, target: string): Promise<void> => tx.lock(`events.partners:${target}`);
