/** A mail that is on its way: its bytes are a blob, kept until it has reached everybody. */
export interface QueuedMail {
  readonly id: string;
  /** The mailbox that sends it; empty for mail of the jar itself. */
  readonly mailbox: string;
  readonly from: string;
  readonly subject: string;
  readonly messageId: string;
  /** Recipients that no step has looked at yet. */
  readonly recipients: readonly string[];
  readonly blob: string;
  readonly queuedAt: number;
  /** Deliveries by the relay that are not over. */
  readonly relayed: number;
}

/** A mail to somebody elsewhere that stayed in the jar, since no relay is configured. */
export interface KeptMail {
  readonly mailbox: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly messageId: string;
  readonly at: number;
  /** In the order in which they were kept, also where the clock stands still. */
  readonly number: number;
  /** One for all recipients of a mail. */
  readonly blob: string;
  /** Bytes of the blob. */
  readonly size: number;
}

/** Of all kept mails: what the settings bound. */
export interface KeptTotals {
  readonly mails: number;
  /** Of the latest one. */
  readonly number: number;
  /** Of all blobs. */
  readonly bytes: number;
}
