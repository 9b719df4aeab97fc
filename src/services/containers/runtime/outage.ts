import type { Logger } from '../../../kernel/telemetry/index.ts';

type Log = Pick<Logger, 'info' | 'warn'>;

/** Logs once that an engine fails and once that it recovered, however many groups are affected. */
export class Outage {
  readonly #log: Log;
  /** By the uid of the affected group. */
  readonly #problems = new Map<string, string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** True while at least one group is affected. */
  get isOn(): boolean {
    return this.#problems.size > 0;
  }

  met(uid: string, resourceId: string, error: Error): void {
    const isNew = ![...this.#problems.values()].includes(error.message);
    this.#problems.set(uid, error.message);
    if (isNew) this.#log.warn({ group: resourceId, err: error }, 'the container engine fails; retrying');
  }

  /** Called when all groups are replaced: groups that no longer exist never report a recovery. */
  forget(): void {
    this.#problems.clear();
  }

  over(uid: string): void {
    if (this.#problems.delete(uid) && this.#problems.size === 0) this.#log.info('the container engine works again');
  }
}
