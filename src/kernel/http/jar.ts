import type { Logger } from '../telemetry/log.ts';
import type { MemoryBudget } from './memory-budget.ts';

/** What serving requests needs of the jar. Handlers see all of it: see `kernel/service`. */
export interface HttpJar {
  readonly config: { readonly namespace: readonly string[] };
  readonly clock: { now(): number };
  readonly log: Logger;
  /** For large bodies of requests, and what they are unpacked to. */
  readonly bodyMemory: MemoryBudget;
  /** Aborted when the jar begins to close; streams end then. */
  readonly closing: AbortSignal;
}
