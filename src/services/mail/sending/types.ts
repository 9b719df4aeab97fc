/** A mail in transit. Its bytes are a blob that is kept until every recipient has been handled. */
export interface QueuedMail {
  readonly id: string;
  /** The sending mailbox; empty for mail of the jar itself. */
  readonly mailbox: string;
  readonly from: string;
  readonly subject: string;
  readonly messageId: string;
  /** Recipients that no step has processed yet. */
  readonly recipients: readonly string[];
  readonly blob: string;
  readonly queuedAt: number;
  /** Deliveries by the relay that have not ended. */
  readonly relayed: number;
}

/** A mail to an external recipient that stayed in the jar because no relay is configured. */
export interface KeptMail {
  readonly mailbox: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly messageId: string;
  readonly at: number;
  /** Order in which mails were kept, even if the clock stands still. */
  readonly number: number;
  /** Shared by all recipients of a mail. */
  readonly blob: string;
  /** Bytes of the blob. */
  readonly size: number;
}

/** Totals of all kept mails, which the settings bound. */
export interface KeptTotals {
  readonly mails: number;
  /** Number of the latest mail. */
  readonly number: number;
  /** Bytes of all blobs. */
  readonly bytes: number;
}
