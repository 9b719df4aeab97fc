import type { ErrorDetail } from '../../../kernel/http/index.ts';
import type { InputSchema } from '../event.ts';
import { INPUT_INVALID, publishErrors } from './errors.ts';

/** A publisher that got one thing wrong in 5,000 events has seen enough after these. */
const MOST_TOLD = 100;
const LONGEST_QUOTE = 100;

/** What is wrong with the events of one request. One mistake refuses all of them, and all are told. */
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
    if (this.#count > MOST_TOLD) return;
    const message = field === '' ? reason : `'${field}' ${reason}`;
    this.#told.push({ code: INPUT_INVALID, message, ...(field !== '' && { target: field }) });
  }

  /** Ends the reading where there is nothing more to look at. */
  fail(reason: string): never {
    this.add('', reason);
    this.refuse();
    throw new Error('a mistake always refuses');
  }

  /** Throws where anything was wrong. */
  refuse(): void {
    const [first] = this.#told;
    if (!first) return;
    const more = this.#count - 1;
    const others = more === 0 ? '' : ` There ${more === 1 ? 'is one more mistake' : `are ${more} more mistakes`}.`;
    const reason = `This endpoint takes events in the schema '${this.#schema}'. ${sentence(first.message)}${others} Nothing was published.`;
    throw publishErrors.BadRequest({ reason }, { details: this.#told });
  }
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

/** Something that was sent, short enough to be told. */
export const quote = (text: string): string =>
  (text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text).toWellFormed();
