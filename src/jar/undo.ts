import { after, processTime } from '../kernel/time/timers.ts';

/** A step that starts after the time is over gets this long, so that files are released and the log is written. */
const LAST_CHANCE_MS = 250;

/** Closing actions of opened resources, run in reverse order. */
export class Undo {
  readonly #steps: { readonly what: string; readonly step: () => Promise<unknown> | unknown }[] = [];

  /** `what` completes the sentence "… took too long". */
  add(what: string, step: () => Promise<unknown> | unknown): void {
    this.#steps.push({ what, step });
  }

  /** Runs all steps, even if one throws or takes too long; the first error is thrown at the end. */
  async run(withinMs: number): Promise<void> {
    const problems: unknown[] = [];
    const end = processTime() + withinMs;
    for (const { what, step } of this.#steps.splice(0).reverse()) {
      try {
        await within(Math.max(end - processTime(), LAST_CHANCE_MS), what, step);
      } catch (error) {
        problems.push(error);
      }
    }
    if (problems.length > 0) throw problems[0];
  }
}

async function within(ms: number, what: string, step: () => Promise<unknown> | unknown): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cancel = after(ms, () => reject(new Error(`${what} took too long and was aborted`)));
  try {
    await Promise.race([step(), late]);
  } finally {
    cancel();
  }
}
