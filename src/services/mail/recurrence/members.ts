import { parseDate, type Wall } from '../zones/wall.ts';
import { RecurrenceRefused } from './mistakes.ts';

/** Validates the properties of a JSON object that a client sent. A null counts as a missing property. */
export class Members {
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #path: string;

  constructor(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new RecurrenceRefused('RequestBodyRead', `The value of '${path}' must be an object.`, path);
    }
    this.#values = new Map(Object.entries(value));
    this.#path = path;
  }

  target(name: string): string {
    return `${this.#path}/${name}`;
  }

  optional(name: string): unknown {
    return this.#values.get(name) ?? undefined;
  }

  required(name: string, use: string): unknown {
    const value = this.optional(name);
    if (value === undefined) {
      throw new RecurrenceRefused(
        'ErrorInvalidRequest',
        `The property '${name}' is required ${use}.`,
        this.target(name),
      );
    }
    return value;
  }

  /** An enumeration value, matched case-insensitively, in the spelling of the API. */
  word<Word extends string>(name: string, value: unknown, words: readonly Word[]): Word {
    const lower = typeof value === 'string' ? value.toLowerCase() : undefined;
    const found = words.find((word) => word.toLowerCase() === lower);
    if (found !== undefined) return found;
    const shown = typeof value === 'string' ? `'${value.slice(0, 40)}'` : 'not a string';
    const message = `The property '${name}' is ${shown}; it must be one of ${words.join(', ')}.`;
    throw new RecurrenceRefused('RequestBodyRead', message, this.target(name));
  }

  integer(name: string, value: unknown, lowest: number, highest: number): number {
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      const message = `The property '${name}' must be a whole number.`;
      throw new RecurrenceRefused('RequestBodyRead', message, this.target(name));
    }
    if (value < lowest || value > highest) {
      throw this.invalid(name, `The property '${name}' is ${value}; it must be from ${lowest} to ${highest}.`);
    }
    return value;
  }

  date(name: string, value: unknown): Wall {
    const wall = typeof value === 'string' ? parseDate(value) : undefined;
    if (wall !== undefined) return wall;
    const message = `The property '${name}' must be a date of the form 2026-01-31.`;
    throw new RecurrenceRefused('RequestBodyRead', message, this.target(name));
  }

  invalid(name: string, message: string): RecurrenceRefused {
    return new RecurrenceRefused('ErrorPropertyValidationFailure', message, this.target(name));
  }
}
