import { nextTurn } from '../../../kernel/time/index.ts';

/** A few milliseconds of work. What a short text costs besides its characters is counted as some more. */
const CHARACTERS_OF_A_TURN = 4000;
const CHARACTERS_OF_A_CALL = 40;

let lastTurn: Promise<void> = Promise.resolve();

/** Of all requests that wait for a turn one gets it in each round of the event loop, or together they would keep others waiting. */
function turn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise<void>(nextTurn));
  return lastTurn;
}

/** Works on one text after the other, and lets other requests in between. What fits into one turn is done at once. */
export async function inTurns<R>(texts: readonly string[], work: (text: string) => R): Promise<R[]> {
  const results: R[] = [];
  const inAll = texts.reduce((sum, { length }) => sum + length + CHARACTERS_OF_A_CALL, 0);
  let left = inAll > CHARACTERS_OF_A_TURN ? 0 : inAll;
  for (const text of texts) {
    if (left <= 0) {
      await turn();
      left = CHARACTERS_OF_A_TURN;
    }
    results.push(work(text));
    left -= text.length + CHARACTERS_OF_A_CALL;
  }
  return results;
}
