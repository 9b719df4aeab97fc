import type { LineProgress } from './progress.ts';
import type { LineSource } from './source.ts';

/** Writes answers; resolves to false if the reader has closed the stream. */
export type Output = (text: string) => Promise<boolean>;

export interface Answered {
  readonly lines: number;
  /** Numbers of the lines that were cut because they were too long, counted from 1. */
  readonly cut: readonly number[];
}

/** Maximum number of line numbers in the message. */
const MOST_CUT_TOLD = 1000;

/**
 * Writes one answer line for each line of text, in order. The next lines are read only when the previous answers were written, so that
 * memory stays small for texts of any length.
 */
export async function answerLines(
  { batches }: LineSource,
  answer: (text: string) => string,
  output: Output,
  progress?: LineProgress,
): Promise<Answered> {
  const cut: number[] = [];
  let lines = 0;
  let bytes = 0;
  try {
    for await (const batch of batches) {
      let answers = '';
      for (const line of batch.lines) {
        lines += 1;
        if (line.cut && cut.length < MOST_CUT_TOLD) cut.push(lines);
        answers += `${answer(line.text)}\n`;
      }
      if (answers !== '' && !(await output(answers))) break;
      bytes += batch.bytes;
      progress?.update(bytes, lines);
    }
  } finally {
    progress?.clear();
  }
  return { lines, cut };
}

/** Resolves when the text is written. A reader that has closed the pipe, as `head` does, is not an error. */
export function outputTo(stream: NodeJS.WritableStream): Output {
  return (text) => new Promise((resolve) => void stream.write(text, (error) => resolve(!error)));
}
