import type { LineProgress } from './progress.ts';
import type { LineSource } from './source.ts';

/** Where answers go; false says that nobody reads any further. */
export type Output = (text: string) => Promise<boolean>;

export interface Answered {
  readonly lines: number;
  /** The numbers of the lines that were longer than is looked at; the first is 1. */
  readonly cut: readonly number[];
}

/** More numbers than this tell nobody anything. */
const MOST_CUT_TOLD = 1000;

/**
 * One line of answer for each line of text, in order. The next lines are read when the answers to those before are taken, so that a
 * text of any length passes through in little memory.
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

/** Resolves when the text is taken. A reader that has gone, as `head` does once it has enough, is no mistake. */
export function outputTo(stream: NodeJS.WritableStream): Output {
  return (text) => new Promise((resolve) => void stream.write(text, (error) => resolve(!error)));
}
