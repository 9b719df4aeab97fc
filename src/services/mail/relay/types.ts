import type { Socket } from 'node:net';

/**
 * - `off`: plain text, also where the relay offers STARTTLS
 * - `opportunistic`: STARTTLS where it is offered, with any certificate: it protects against listeners only, as plain text would not
 * - `required`: STARTTLS with a certificate that is valid for the name
 * - `implicit`: TLS from the first byte (port 465), with a certificate that is valid for the name
 */
export type RelayTls = 'off' | 'opportunistic' | 'required' | 'implicit';

/** The server that sends mail to the world. It is named by the operator, so the outbound guard does not apply: it may be on loopback. */
export interface RelaySettings {
  readonly host: string;
  readonly port: number;
  readonly tls: RelayTls;
  readonly user?: string;
  readonly password?: string;
  /** Certificates (PEM) that are trusted beside the system's. */
  readonly ca?: readonly string[];
  /** The name for EHLO. */
  readonly name: string;
  /** For one answer of the relay, of real time. */
  readonly timeoutMs?: number;
}

export interface OutgoingMail {
  /** Empty for a report. */
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: Buffer;
}

/** Why there is no answer to judge by. */
export type RelayFailure = 'TimedOut' | 'SocketError' | 'TlsError' | 'ResolutionError' | 'BadAddress' | 'Aborted';

export interface RecipientReply {
  readonly address: string;
  /** `refused` is for good; `later` may be tried again. */
  readonly is: 'sent' | 'refused' | 'later';
  /** Of the relay; absent where it gave none. */
  readonly code?: number;
  /** RFC 3463, `5.1.1`; absent where the relay gave none. */
  readonly enhancedCode?: string;
  /** In the words of the relay, or what went wrong on the way to it. */
  readonly text: string;
  readonly failure?: RelayFailure;
}

/** One reply for each recipient, in their order. */
export type RelayReply = readonly RecipientReply[];

/** Opens the connection to a relay. */
export type Connector = (
  to: { readonly host: string; readonly port: number; readonly timeoutMs?: number },
  signal: AbortSignal,
) => Promise<Socket>;
