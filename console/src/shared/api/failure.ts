/** An error answer of the jar, or no answer at all. */
export class Failure extends Error {
  /** 0 if there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly target: string | undefined;
  /** Every mistake, for APIs that list them. */
  readonly details: readonly Mistake[];

  constructor(status: number, code: string, message: string, target?: string, details: readonly Mistake[] = []) {
    super(message);
    this.name = 'Failure';
    this.status = status;
    this.code = code;
    this.target = target;
    this.details = details;
  }
}

export interface Mistake {
  readonly message: string;
  readonly target: string | undefined;
}

/** The APIs of the jar have different shapes of errors; all of them have a code and a message somewhere. */
export function failureOf(status: number, body: unknown): Failure {
  const outer = asRecord(body);
  const inner = isRecord(outer.error) ? outer.error : outer;
  const code =
    textOf(inner.code) ?? textOf(outer.error_code) ?? textOf(outer.code) ?? textOf(outer.error) ?? `${status}`;
  const message =
    textOf(inner.message) ?? textOf(outer.message) ?? textOf(outer.error_description) ?? plain(body, status);
  return new Failure(status, code, message, textOf(inner.target), mistakesOf(inner.details));
}

function mistakesOf(details: unknown): Mistake[] {
  if (!Array.isArray(details)) return [];
  return details.map(asRecord).flatMap(({ message, target }) => {
    const text = textOf(message);
    return text === undefined ? [] : [{ message: text, target: textOf(target) }];
  });
}

/** A failed connection as a failure with a sentence that says what to do. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof TypeError) return new Failure(0, 'NoAnswer', 'The jar does not answer. Is it running?');
  return new Failure(0, 'Unexpected', error instanceof Error ? error.message : String(error));
}

type Members = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Members => typeof value === 'object' && value !== null;

function asRecord(value: unknown): Members {
  return isRecord(value) ? value : {};
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const plain = (body: unknown, status: number): string =>
  typeof body === 'string' && body !== '' ? body.slice(0, 500) : `The answer has status ${status} and no message.`;
