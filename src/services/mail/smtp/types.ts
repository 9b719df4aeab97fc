import type { SecureContext } from 'node:tls';
import type { MemoryBudget } from '../../../kernel/http/index.ts';
import type { Logger } from '../../../kernel/telemetry/index.ts';
import type { SmtpLimits } from './limits.ts';

/** One message with its envelope, as a client sent it. */
export interface ReceivedMail {
  /** Names the transaction in the reply, the log and the `Received` header. */
  readonly id: string;
  /** The reverse path; empty for a report, which must not be answered by another report. */
  readonly from: string;
  /** The recipients that `accepts` accepted, in the order of their commands and without repeats. */
  readonly to: readonly string[];
  /** The content with CRLF line ends, without dot-stuffing. */
  readonly raw: Buffer;
  readonly remoteAddress: string;
  /** The name that the client gave with HELO or EHLO. */
  readonly helo: string;
  /** False after HELO: the client speaks plain SMTP. */
  readonly isExtended: boolean;
  readonly isSecure: boolean;
  readonly smtpUtf8: boolean;
}

/** What becomes of a message. Only `stored` is acknowledged, so it must not be given before the store has committed. */
export type Verdict =
  | { readonly is: 'stored' }
  | { readonly is: 'refused'; readonly reason: string }
  | { readonly is: 'later'; readonly reason: string };

/** What becomes of a recipient: `no-mailbox` for an unknown name in a local domain, `not-local` for any other domain. */
export type Acceptance = 'accepted' | 'no-mailbox' | 'not-local';

export interface SmtpServerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The name in the greeting and in replies. */
  readonly name: string;
  /** Asked with every STARTTLS, so that the certificate is made with the first; `servername` is what the client asked for, if anything. Without it there is no STARTTLS. */
  secureContext?(servername: string | undefined): SecureContext | Promise<SecureContext>;
  /** Resolves when the message is stored or refused. A rejected promise is a temporary failure. */
  receive(mail: ReceivedMail): Promise<Verdict>;
  /** Whether there is a mailbox for this address. A rejected promise is a temporary failure. */
  accepts(address: string): Promise<Acceptance>;
  /** For messages in flight; those above `countsAbove` take a lease. */
  readonly memory: MemoryBudget;
  readonly limits?: Partial<SmtpLimits>;
  /** Asked with every connection: those of `limits` that can be changed while the server runs. */
  currentLimits?(): Promise<Partial<SmtpLimits>>;
  readonly log: Logger;
}

export interface SmtpDoor {
  readonly port: number;
  /** Stops listening, lets messages that are being stored finish, and ends every other connection with 421. */
  close(): Promise<void>;
}
