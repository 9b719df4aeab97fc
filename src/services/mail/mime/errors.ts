/** A value that cannot be written in a mail. This is a programming error: callers validate user input first. */
export class MailValueError extends Error {
  override readonly name = 'MailValueError';
  readonly code = 'invalidMailValue';
  /** The header or property that has the value. */
  readonly field: string;

  constructor(field: string, reason: string) {
    super(`${field}: ${reason}`);
    this.field = field;
  }
}
