/**
 * Traces record the outcome of an event for later questions such as "why did it not arrive". A service writes them in the transaction of
 * the event itself, many in one document, and the newest are kept.
 */
export interface TracePage<Trace> {
  /** Oldest first. */
  readonly traces: readonly Trace[];
}

/** The location of a trace: the key of its page, and its index on it. */
export type TracePlace = readonly [page: string, at: number];

export interface PlacedTrace<Trace> {
  readonly place: TracePlace;
  readonly trace: Trace;
}
