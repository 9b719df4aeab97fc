import { MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';

const MIB = 1024 * 1024;

export interface SmtpLimits {
  /** Bytes of one message. */
  readonly messageBytes: number;
  readonly recipients: number;
  /** Concurrent connections, of all clients and of one address. Loopback is an address like any other. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Time until the next complete command: a client that sends single bytes counts as idle. */
  readonly idleMs: number;
  /** Time from DATA to the end of the message. */
  readonly messageMs: number;
  /** At least `progressBytes` must arrive within each `progressMs` of a message. */
  readonly progressMs: number;
  readonly progressBytes: number;
  readonly handshakeMs: number;
  /** Commands without a stored message. Storing one resets the count. */
  readonly commands: number;
  /** Unknown, malformed or out-of-order commands. */
  readonly mistakes: number;
  /** RFC 5321 (4.5.3.1) requires 512 bytes, and more for extensions. */
  readonly commandLineBytes: number;
  /** RFC 5322 (2.1.1) allows 998 bytes. Senders of HTML exceed that, and nothing here depends on it. */
  readonly textLineBytes: number;
  /** Time that messages being stored have when the server closes. */
  readonly closeMs: number;
}

export const DEFAULT_SMTP_LIMITS: SmtpLimits = {
  messageBytes: 35 * MIB,
  recipients: 500,
  connections: 100,
  connectionsPerAddress: 20,
  idleMs: 5 * MINUTE_MS,
  messageMs: 10 * MINUTE_MS,
  // Slow enough for a person who types a message.
  progressMs: 2 * MINUTE_MS,
  progressBytes: 256,
  handshakeMs: 30 * SECOND_MS,
  commands: 1000,
  mistakes: 10,
  commandLineBytes: 2048,
  textLineBytes: 64 * 1024,
  closeMs: 10 * SECOND_MS,
};
