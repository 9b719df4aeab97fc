import type { ErrorDetail } from '../../../kernel/http/index.ts';
import { errors } from '../errors.ts';

/** An error lists at most this many mistakes. */
const MOST_MISTAKES = 20;

/** Collects the mistakes of a request, so that all are reported before anything changes. */
export class Mistakes {
  readonly #found: ErrorDetail[] = [];

  get any(): boolean {
    return this.#found.length > 0;
  }

  add(target: string, message: string): void {
    if (this.#found.length < MOST_MISTAKES) this.#found.push({ code: 'BadRequest', message, target });
  }

  throwAny(): void {
    if (this.any) throw errors.BadRequest({}, { details: this.#found });
  }
}

export const oneMistake = (target: string, message: string, cause?: unknown) =>
  errors.BadRequest({}, { details: [{ code: 'BadRequest', message, target }], cause });
