import type { JarClock } from '../clock/types.ts';
import type { Collection, Store } from '../store/types.ts';
import type { Logger } from '../telemetry/log.ts';

/** What can go wrong on order. Those of the wire apply to requests in both directions, the last three to deliveries. */
export interface FaultEffect {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** On the jar's clock. */
  readonly latencyMs?: number;
  /** The connection ends without an answer. */
  readonly drop?: boolean;
  /** The body comes in pieces with this pause of the jar's clock between them. */
  readonly slowBodyMs?: number;
  /** The connection ends after so many bytes of the body. */
  readonly cutBodyAfter?: number;
  /** A delivery is sent twice. */
  readonly duplicate?: boolean;
  /** A delivery is sent after the one behind it. */
  readonly outOfOrder?: boolean;
  /** A delivery is sent although what it is for has been deleted. */
  readonly afterDelete?: boolean;
}

export interface FaultSubject {
  readonly direction: 'inbound' | 'outbound';
  readonly service: string;
  readonly method: string;
  /** Inbound the path, outbound the whole address without its query. */
  readonly path: string;
}

export interface Faults {
  /** Whether there are rules at all: the only thing that a request without faults pays for. */
  readonly armed: boolean;
  /** Counts the subject against every rule it matches and gives the effect of the first that fires. */
  strike(subject: FaultSubject): Promise<FaultEffect | undefined>;
}

export interface FaultsOptions {
  readonly store: Store;
  readonly clock: JarClock;
  readonly log: Logger;
}

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
export const faultCollections: readonly Collection<any>[] = [];

export async function openFaults(_options: FaultsOptions): Promise<Faults> {
  return { armed: false, strike: async () => undefined };
}
