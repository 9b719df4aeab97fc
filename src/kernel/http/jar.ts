import type { Logger } from '../telemetry/log.ts';
import type { MemoryBudget } from './memory-budget.ts';

/** The parts of a jar that serving requests needs. Handlers see the whole jar; see `kernel/service`. */
export interface HttpJar {
  readonly config: {
    readonly namespace: readonly string[];
    /** Provider prefix in responses to requests without one. */
    readonly spokenPrefix: string;
  };
  readonly clock: { now(): number };
  readonly log: Logger;
  /** Memory for large request bodies and for what they are decompressed to. */
  readonly bodyMemory: MemoryBudget;
  /**
   * Memory for bodies from unauthenticated clients. A client that sends slowly holds its memory for minutes, and must not be able to use up
   * that of authenticated callers.
   */
  readonly strangerMemory: MemoryBudget;
  /** Aborted when the jar begins to close, which ends streams. */
  readonly closing: AbortSignal;
}
