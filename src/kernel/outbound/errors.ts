/**
 * The reason for a missing response. The names are those that a dead-lettered event shows as its last delivery outcome; `Blocked` and
 * `BadAddress` exist only here, for requests that were never sent.
 */
export type OutboundFailure =
  | 'TimedOut' // no complete response within the timeout
  | 'SocketError' // refused, reset, closed before the answer was complete, or not HTTP
  | 'TlsError' // the certificate is not trusted, or the handshake failed
  | 'ResolutionError' // the name has no address
  | 'Blocked' // the guard refuses the address
  | 'BadAddress' // not an http or https address
  | 'Aborted'; // cancelled by this side

export class OutboundError extends Error {
  readonly failure: OutboundFailure;
  constructor(failure: OutboundFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutboundError';
    this.failure = failure;
  }
}

const RESOLUTION = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_FAIL', 'ENODATA', 'ESERVFAIL']);
const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);
const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/;

/** Converts an error of the client or the system. */
export function asOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  // If several addresses were tried, the first error represents all of them.
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  if (first instanceof OutboundError) return first;
  const code = first instanceof Error && 'code' in first && typeof first.code === 'string' ? first.code : '';
  const message = first instanceof Error ? first.message : String(first);
  const said = code === '' || message.includes(code) ? message : `${code}: ${message}`;
  if (RESOLUTION.has(code)) return new OutboundError('ResolutionError', said, { cause: error });
  if (TIMEOUTS.has(code)) return new OutboundError('TimedOut', said, { cause: error });
  return new OutboundError(TLS.test(code) ? 'TlsError' : 'SocketError', said, { cause: error });
}
