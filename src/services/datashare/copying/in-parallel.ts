/**
 * Runs tasks in parallel. After the first failure `hasFailed` is true and the caller starts no more tasks; `settle` throws that failure
 * once all running tasks have ended.
 */
export class ParallelTasks {
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  start(task: () => Promise<void>): void {
    const running = task()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    if (this.#failure) throw this.#failure.error;
  }
}
