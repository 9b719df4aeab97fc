import { nextTurn } from '../../../kernel/time/index.ts';

/** A few milliseconds of work. Each text costs a fixed overhead, counted as additional characters. */
const CHARACTERS_OF_A_TURN = 4000;
const CHARACTERS_OF_A_CALL = 40;

let lastTurn: Promise<void> = Promise.resolve();

/** In each round of the event loop only one waiting request gets a turn; together they would block other requests. */
function turn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise<void>(nextTurn));
  return lastTurn;
}

/** Processes the texts one after the other and yields to other requests in between. Work that fits into one turn runs at once. */
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
