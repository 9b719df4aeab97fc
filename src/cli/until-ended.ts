/**
 * Runs `work` until Ctrl-C or until the reader closes the pipe, as `head` does; both are a normal end. The signal tells the work to end;
 * errors that it throws afterwards are not reported.
 */
export async function untilEnded(work: (ends: AbortSignal) => Promise<void>): Promise<void> {
  const { stdout } = process;
  const ends = new AbortController();
  const end = (): void => ends.abort();
  process.on('SIGINT', end).on('SIGTERM', end);
  stdout.on('error', end);
  try {
    await work(ends.signal);
  } catch (error) {
    if (!ends.signal.aborted) throw error;
  } finally {
    stdout.off('error', end);
    // Ctrl-C can arrive twice, from the terminal and from a program that forwards it. The handlers stay, so that the second signal does not
    // turn the normal end into a failure.
    if (!ends.signal.aborted) process.off('SIGINT', end).off('SIGTERM', end);
  }
}

/** Resolves when the text is written or cannot be written. */
export const written = (text: string): Promise<void> =>
  new Promise((resolve) => void process.stdout.write(text, () => resolve()));
