import type { Tx } from '../../../kernel/store/index.ts';

/**
 * A channel and its target (partner topic or partner destination) change together, from either side. Each writer takes this lock first,
 * which avoids deadlocks. `target` is the key of the target.
 */
export const lockTarget = (tx: Tx, target: string): Promise<void> => tx.lock(`events.partners:${target}`);
