import type { ErrorDetail } from '../../../kernel/http/index.ts';
import type { InputSchema } from '../event.ts';
import { INPUT_INVALID, publishErrors } from './errors.ts';

/** Limit of listed mistakes: a publisher that repeats one mistake in 5,000 events needs no longer list. */
const MOST_LISTED = 100;
const LONGEST_QUOTE = 100;

/** Collects the mistakes in the events of one request. Any mistake rejects the whole request; the error lists them all. */
export class Mistakes {
  readonly #schema: InputSchema;
  readonly #told: ErrorDetail[] = [];
  #count = 0;

  constructor(schema: InputSchema) {
    this.#schema = schema;
  }

  /** `field` is a path: `[3].eventType`. */
  add(field: string, reason: string): void {
    this.#count += 1;
    if (this.#count > MOST_LISTED) return;
    const message = field === '' ? reason : `'${field}' ${reason}`;
    this.#told.push({ code: INPUT_INVALID, message, ...(field !== '' && { target: field }) });
  }

  /** Rejects the request at once, because reading cannot continue. */
  fail(reason: string): never {
    this.add('', reason);
    this.refuse();
    throw new Error('a mistake always refuses');
  }

  /** Throws if there is any mistake. */
  refuse(): void {
    const [first] = this.#told;
    if (!first) return;
    const more = this.#count - 1;
    const others = more === 0 ? '' : ` There ${more === 1 ? 'is one more mistake' : `are ${more} more mistakes`}.`;
    const reason = `This endpoint accepts events in the schema '${this.#schema}'. ${sentence(first.message)}${others} Nothing was published.`;
    throw publishErrors.BadRequest({ reason }, { details: this.#told });
  }
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

/** Shortens sent text for an error message. */
export const quote = (text: string): string =>
  (text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text).toWellFormed();
