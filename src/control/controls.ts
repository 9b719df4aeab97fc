import type { ServiceHost } from '../kernel/service/index.ts';
import type { Snapshots } from '../kernel/snapshots/index.ts';
import type { RequestLog } from '../kernel/telemetry/index.ts';
import type { Advance, AdvancePreview, AdvanceTarget, WorkKind } from '../kernel/work/index.ts';

/** Functions on a jar that only the control API has; `src/jar` provides them. */
export interface Controls {
  readonly version: string;
  readonly host: ServiceHost;
  readonly advance: Advance;
  /** What an advance would run; lists at most `limit` items. */
  preview(to: AdvanceTarget, limit: number): Promise<AdvancePreview>;
  /** All kinds of due work by their names. */
  // biome-ignore lint/suspicious/noExplicitAny: kinds with any payload are kept side by side
  readonly workKinds: ReadonlyMap<string, WorkKind<any>>;
  /** Resolves when no work is due or running. */
  settled(): Promise<void>;
  reset(): Promise<void>;
  readonly snapshots: Snapshots;
  caCertificate(): Promise<string>;
  /** The process and its data folder. */
  readonly process: JarProcess;
  /** Ends the jar as a signal does; undefined if another program runs the jar and ends it. */
  readonly stop?: () => void;
  /** Prometheus text. */
  renderMetrics(): Promise<string>;
  /** The most recent inbound and outbound requests of this process. */
  readonly requests: RequestLog;
}

export interface JarProcess {
  readonly pid: number;
  /** By the system clock. */
  readonly startedAt: string;
  /** The data folder, if there is one. */
  readonly folder: string | undefined;
}
