import { type LegacyWork, lazyWork } from '../../../kernel/whole-service.ts';

/** Hands on events that were acknowledged, in steps. */
export const FAN_OUT = 'events.fan-out';
/** Removes traces beyond the number that is kept. */
export const PRUNE_TRACES = 'events.prune-traces';

export const DELIVERING_WORK: Readonly<Record<string, LegacyWork>> = {
  [FAN_OUT]: lazyWork(() => import('./fan-out.ts').then(({ fanOut }) => fanOut), {
    maxAttempts: Number.POSITIVE_INFINITY,
  }),
  [PRUNE_TRACES]: lazyWork(() => import('./prune-traces.ts').then(({ pruneTraces }) => pruneTraces)),
};
