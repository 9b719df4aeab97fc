import type { ApiError } from '../../../../kernel/http/errors.ts';
import { eventErrors } from '../../errors.ts';

export interface Mistake {
  /** Path of the member, such as `properties.retryPolicy.maxDeliveryAttempts`. */
  readonly target: string;
  readonly message: string;
}

/** More of them help nobody, and a body may hold a hundred thousand. */
const MOST_TOLD = 50;

/** Everything that is wrong with a request, told in one answer. */
export class Mistakes {
  readonly #list: Mistake[] = [];
  #count = 0;

  add(target: string, message: string): void {
    this.#count += 1;
    if (this.#list.length < MOST_TOLD) this.#list.push({ target, message });
  }

  get any(): boolean {
    return this.#count > 0;
  }

  error(): ApiError {
    const [first] = this.#list as [Mistake];
    const details = this.#list.map((mistake) => ({ code: 'InvalidRequest', ...mistake }));
    const others = this.#count - 1;
    const reason =
      others === 0 ? first.message : `${first.message} There ${others === 1 ? 'is' : 'are'} ${others} more.`;
    return eventErrors.InvalidRequest({ reason }, { target: first.target, details });
  }
}
