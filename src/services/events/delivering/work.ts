import { defineWork } from '../../../kernel/work/index.ts';

/** Hands on events that were acknowledged, in steps. */
export const FAN_OUT = defineWork<{ readonly id: string }>('events.fan-out', { maxAttempts: Number.POSITIVE_INFINITY });
/** Removes traces beyond the number that is kept. */
export const PRUNE_TRACES = defineWork<{ readonly kept: number }>('events.prune-traces');
