import type { Logger } from '../../../kernel/telemetry/index.ts';

type Log = Pick<Logger, 'info' | 'warn'>;

/** Says once what is wrong with an engine, and once that it is over, however many groups notice and however often. */
export class Outage {
  readonly #log: Log;
  /** By the uid of the group that has met it. */
  readonly #problems = new Map<string, string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Whether there is a group for which it is not over yet. */
  get isOn(): boolean {
    return this.#problems.size > 0;
  }

  met(uid: string, resourceId: string, error: Error): void {
    const isNew = ![...this.#problems.values()].includes(error.message);
    this.#problems.set(uid, error.message);
    if (isNew)
      this.#log.warn({ group: resourceId, err: error }, 'the container engine does not do its work; trying on');
  }

  /** Of groups that are no more nobody will hear that it is over. */
  forget(): void {
    this.#problems.clear();
  }

  over(uid: string): void {
    if (this.#problems.delete(uid) && this.#problems.size === 0) this.#log.info('the container engine works again');
  }
}
