/** From this duration on, a request is slow. */
export const SLOW_MS = 500;

/** Prepared filters by their id in the address. A delivery fails if its receiver does not accept it, whatever the status. */
export const QUICK = [
  {
    id: 'errors',
    title: 'Errors',
    phrase: 'Requests that failed',
    filter:
      "(direction eq 'inbound' and (status eq null or status ge 400)) or (direction eq 'outbound' and delivery/outcome ne 'Succeeded')",
  },
  { id: 'slow', title: 'Slow', phrase: 'Slow requests', filter: `ms ge ${SLOW_MS}` },
  { id: 'outbound', title: 'Outbound', phrase: 'Messages that the jar sent', filter: "direction eq 'outbound'" },
  { id: 'limited', title: 'Limited', phrase: 'Requests that a limit refused', filter: 'status eq 429' },
  { id: 'faulted', title: 'Faulted', phrase: 'Requests that a fault rule struck', filter: 'fault ne null' },
] as const;

/** What a text is searched for in. */
export const SEARCHED = ['path', 'target', 'operation', 'caller', 'id', 'requestId', 'clientRequestId'];
