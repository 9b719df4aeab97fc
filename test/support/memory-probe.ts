import type { Bench } from './jars.ts';

/**
 * Shows that a service forgets what it remembers in memory when all state is replaced. One test runs the probes of all services, with
 * a reset and with a restored snapshot.
 */
export interface MemoryProbe {
  readonly service: string;
  /** Makes the service remember something of the state. */
  remember(bench: Bench): Promise<void>;
  /** What a client sees that depends on that memory. Called before `remember` and after the state was replaced, and must be the same. */
  look(bench: Bench): Promise<unknown>;
}
