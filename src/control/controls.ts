import type { AdvanceResult } from '../kernel/clock/index.ts';
import type { ServiceHost } from '../kernel/service/index.ts';
import type { Snapshots } from '../kernel/snapshots/index.ts';
import type { RequestLog } from '../kernel/telemetry/index.ts';

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
  /** The process and where it keeps its state. */
  readonly process: JarProcess;
  /** Ends the jar as a signal does; absent where another program runs it and ends it. */
  readonly stop?: () => void;
  /** Prometheus text. */
  renderMetrics(): Promise<string>;
  /** What this process was asked for and what it has sent, the most recent. */
  readonly requests: RequestLog;
}

export interface JarProcess {
  readonly pid: number;
  /** By the system's clock. */
  readonly startedAt: string;
  /** The data folder, if there is one. */
  readonly folder: string | undefined;
}
