/** What was opened, to be closed in the opposite order. */
export class Undo {
  readonly #steps: (() => Promise<unknown> | unknown)[] = [];

  add(step: () => Promise<unknown> | unknown): void {
    this.#steps.push(step);
  }

  /** Runs all of them, whatever one of them throws; the first problem is thrown at the end. */
  async run(): Promise<void> {
    const problems: unknown[] = [];
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        problems.push(error);
      }
    }
    if (problems.length > 0) throw problems[0];
  }
}
