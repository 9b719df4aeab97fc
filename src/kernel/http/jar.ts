import type { Logger } from '../telemetry/log.ts';
import type { MemoryBudget } from './memory-budget.ts';

/** What serving requests needs of the jar. Handlers see all of it: see `kernel/service`. */
export interface HttpJar {
  readonly config: {
    readonly namespace: readonly string[];
    /** Of answers to requests that name no provider prefix. */
    readonly spokenPrefix: string;
  };
  readonly clock: { now(): number };
  readonly log: Logger;
  /** For large bodies of requests, and what they are unpacked to. */
  readonly bodyMemory: MemoryBudget;
  /** The same for bodies that everybody may send. A client that sends slowly holds its room for minutes, and a stranger must not hold that of callers. */
  readonly strangerMemory: MemoryBudget;
  /** Aborted when the jar begins to close; streams end then. */
  readonly closing: AbortSignal;
}
