/** A value that cannot stand in a mail: a mistake of the caller, who has to validate what users send before it comes here. */
export class MailValueError extends Error {
  override readonly name = 'MailValueError';
  readonly code = 'invalidMailValue';
  /** The header or member with the value. */
  readonly field: string;

  constructor(field: string, reason: string) {
    super(`${field}: ${reason}`);
    this.field = field;
  }
}
