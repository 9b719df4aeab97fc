/** What is wrong with a recurrence that a client sent; the caller renders it as the error of the API. */
export interface RecurrenceMistake {
  readonly code: RecurrenceErrorCode;
  readonly message: string;
  /** Path below the event: `recurrence/pattern/interval`. */
  readonly target: string;
}

export type RecurrenceErrorCode =
  | 'RequestBodyRead' // a value of the wrong JSON type, or an unknown word of an enumeration
  | 'ErrorInvalidRequest' // a member that the chosen type needs is missing
  | 'ErrorPropertyValidationFailure' // a value outside its range, or at odds with another one
  | 'TimeZoneNotSupportedException' // recurrenceTimeZone is no time zone
  | 'ErrorOccurrenceTimeSpanTooBig'; // an occurrence would last longer than until the next one

/** Thrown inside the validation only, and returned by it. */
export class RecurrenceRefused extends Error {
  readonly mistake: RecurrenceMistake;
  constructor(code: RecurrenceErrorCode, message: string, target: string) {
    super(message);
    this.name = 'RecurrenceRefused';
    this.mistake = { code, message, target };
  }
}
