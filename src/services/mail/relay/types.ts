import type { Socket } from 'node:net';

/**
 * - `off`: plain text, even if the relay offers STARTTLS
 * - `opportunistic`: STARTTLS if offered, with any certificate; protects only against passive listeners, whom plain text would not stop
 *   either
 * - `required`: STARTTLS with a certificate that is valid for the name
 * - `implicit`: TLS from the first byte (port 465), with a certificate that is valid for the name
 */
export type RelayTls = 'off' | 'opportunistic' | 'required' | 'implicit';

/** The mail server for outgoing mail. The operator configures it, so the outbound guard does not apply: it may be on loopback. */
export interface RelaySettings {
  readonly host: string;
  readonly port: number;
  readonly tls: RelayTls;
  readonly user?: string;
  readonly password?: string;
  /** Certificates (PEM) that are trusted in addition to the system's. */
  readonly ca?: readonly string[];
  /** Name for EHLO. */
  readonly name: string;
  /** Timeout for one reply of the relay, in real time. */
  readonly timeoutMs?: number;
}

export interface OutgoingMail {
  /** Empty for a report. */
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: Buffer;
}

/** The reason why there is no reply. */
export type RelayFailure = 'TimedOut' | 'SocketError' | 'TlsError' | 'ResolutionError' | 'BadAddress' | 'Aborted';

export interface RecipientReply {
  readonly address: string;
  /** `refused` is permanent; `later` can be retried. */
  readonly is: 'sent' | 'refused' | 'later';
  /** Reply code of the relay; absent without a reply. */
  readonly code?: number;
  /** RFC 3463 code such as `5.1.1`; absent if the relay gave none. */
  readonly enhancedCode?: string;
  /** The relay's reply text, or the error on the way to the relay. */
  readonly text: string;
  readonly failure?: RelayFailure;
}

/** One reply for each recipient, in the same order. */
export type RelayReply = readonly RecipientReply[];

/** Opens the connection to a relay. */
export type Connector = (
  to: { readonly host: string; readonly port: number; readonly timeoutMs?: number },
  signal: AbortSignal,
) => Promise<Socket>;
