import type { AdvanceResult } from '../kernel/clock/index.ts';
import type { ServiceHost } from '../kernel/service/index.ts';
import type { Snapshots } from '../kernel/snapshots/index.ts';

/** What only the control API may do to a jar; `src/jar` gives it. */
export interface Controls {
  readonly version: string;
  readonly host: ServiceHost;
  advance(by: string | number): Promise<AdvanceResult>;
  /** Resolves when nothing is due or running. */
  settled(): Promise<void>;
  reset(): Promise<void>;
  readonly snapshots: Snapshots;
  caCertificate(): Promise<string>;
  /** Prometheus text. */
  renderMetrics(): Promise<string>;
}
