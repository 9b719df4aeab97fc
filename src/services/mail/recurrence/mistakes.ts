/** A mistake in a recurrence that a client sent. The caller renders it as the API's error. */
export interface RecurrenceMistake {
  readonly code: RecurrenceErrorCode;
  readonly message: string;
  /** Path below the event: `recurrence/pattern/interval`. */
  readonly target: string;
}

export type RecurrenceErrorCode =
  | 'RequestBodyRead' // a value of the wrong JSON type, or an unknown enumeration value
  | 'ErrorInvalidRequest' // a property that the type requires is missing
  | 'ErrorPropertyValidationFailure' // a value outside its range, or in conflict with another value
  | 'TimeZoneNotSupportedException' // recurrenceTimeZone is not a known time zone
  | 'ErrorOccurrenceTimeSpanTooBig'; // an occurrence would overlap the next one

/** Thrown only within the validation, which returns the mistake. */
export class RecurrenceRefused extends Error {
  readonly mistake: RecurrenceMistake;
  constructor(code: RecurrenceErrorCode, message: string, target: string) {
    super(message);
    this.name = 'RecurrenceRefused';
    this.mistake = { code, message, target };
  }
}
