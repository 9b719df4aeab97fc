import type { ErrorDetail } from '../../../kernel/http/index.ts';
import { errors } from '../errors.ts';

/** More than anybody reads. */
const MOST_MISTAKES = 20;

/** What is wrong with a request, found before anything is done. */
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
