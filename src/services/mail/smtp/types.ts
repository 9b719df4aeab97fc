import type { SecureContext } from 'node:tls';
import type { MemoryBudget } from '../../../kernel/http/index.ts';
import type { Logger } from '../../../kernel/telemetry/index.ts';
import type { SmtpLimits } from './limits.ts';

/** One message with its envelope, as a client sent it. */
export interface ReceivedMail {
  /** Identifies the transaction in the reply, the log and the `Received` header. */
  readonly id: string;
  /** The reverse path; empty for a report, which must not cause another report. */
  readonly from: string;
  /** Recipients that `accepts` accepted, in the order of their commands, without repeats. */
  readonly to: readonly string[];
  /** Content with CRLF line breaks, without dot-stuffing. */
  readonly raw: Buffer;
  readonly remoteAddress: string;
  /** Name from HELO or EHLO. */
  readonly helo: string;
  /** False after HELO: the client speaks plain SMTP. */
  readonly isExtended: boolean;
  readonly isSecure: boolean;
  readonly smtpUtf8: boolean;
}

/** Result for a message. Only `stored` is acknowledged, so it must not be returned before the store has committed. */
export type Verdict =
  | { readonly is: 'stored' }
  | { readonly is: 'refused'; readonly reason: string }
  | { readonly is: 'later'; readonly reason: string };

/** Result for a recipient: `no-mailbox` for an unknown name in a local domain, `not-local` for any other domain. */
export type Acceptance = 'accepted' | 'no-mailbox' | 'not-local';

export interface SmtpServerOptions {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Name in the greeting and in replies. */
  readonly name: string;
  /**
   * Called with every STARTTLS, so that the certificate is created with the first one; `servername` is the name that the client requests,
   * if any. Without this function, STARTTLS is not offered.
   */
  secureContext?(servername: string | undefined): SecureContext | Promise<SecureContext>;
  /** Resolves when the message is stored or rejected. A rejected promise is a temporary failure. */
  receive(mail: ReceivedMail): Promise<Verdict>;
  /** Finds out if the address has a mailbox. A rejected promise is a temporary failure. */
  accepts(address: string): Promise<Acceptance>;
  /** Memory budget for messages in flight; messages above `countsAbove` take a lease. */
  readonly memory: MemoryBudget;
  readonly limits?: Partial<SmtpLimits>;
  /** Called for every connection: the limits that can change while the server runs. */
  currentLimits?(): Promise<Partial<SmtpLimits>>;
  readonly log: Logger;
}

export interface SmtpDoor {
  readonly port: number;
  /** Stops listening, waits for messages that are being stored, and ends every other connection with 421. */
  close(): Promise<void>;
}
