/**
 * Traces tell what became of something, long after it is over: "why did it not arrive". A service notes them by the transaction that does the
 * thing itself, many in one document, and the newest are kept.
 */
export interface TracePage<Trace> {
  /** The oldest first. */
  readonly traces: readonly Trace[];
}

/** Where a trace is: the key of its page, and its index on it. */
export type TracePlace = readonly [page: string, at: number];

export interface PlacedTrace<Trace> {
  readonly place: TracePlace;
  readonly trace: Trace;
}
