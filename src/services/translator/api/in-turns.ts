import { nextTurn } from '../../../kernel/clock/timers.ts';

/** A few milliseconds of work. What a short text costs besides its characters is counted as some more. */
const CHARACTERS_OF_A_TURN = 4000;
const CHARACTERS_OF_A_CALL = 40;

/** Works on one text after the other, and lets other requests in between. */
export async function inTurns<R>(texts: readonly string[], work: (text: string) => R): Promise<R[]> {
  const results: R[] = [];
  let done = 0;
  for (const text of texts) {
    if (done >= CHARACTERS_OF_A_TURN) {
      await new Promise<void>(nextTurn);
      done = 0;
    }
    results.push(work(text));
    done += text.length + CHARACTERS_OF_A_CALL;
  }
  return results;
}
