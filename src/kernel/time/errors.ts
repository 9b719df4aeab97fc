export type ClockErrorCode =
  | 'BAD_DURATION' // not a duration, or not one that a clock can be advanced by
  | 'BAD_TIME' // not a time that a clock can start at or be moved to
  | 'FIXED_CLOCK' // the system clock cannot be moved
  | 'NO_PROGRESS' // work keeps scheduling work for the same instant
  | 'INTERRUPTED'; // the clock was reset or closed while it was moved

export class ClockError extends Error {
  readonly code: ClockErrorCode;
  constructor(code: ClockErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ClockError';
    this.code = code;
  }
}
