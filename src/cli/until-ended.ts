/**
 * Runs what goes on until Ctrl-C, or until the reader of a pipe has read enough, as `head` does: both are its normal end. The signal tells
 * the work to end; what it throws from then on is not reported.
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
    // The same Ctrl-C can come twice, of the terminal and of a program that passes it on: the second must not make a failure of the end.
    if (!ends.signal.aborted) process.off('SIGINT', end).off('SIGTERM', end);
  }
}

/** Resolves when the text is written, or cannot be. */
export const written = (text: string): Promise<void> =>
  new Promise((resolve) => void process.stdout.write(text, () => resolve()));
