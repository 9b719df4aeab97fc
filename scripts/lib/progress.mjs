import { say } from './say.mjs';

const REDRAW_MS = 200;

/**
 * Reports a long step. On a terminal the line counts the seconds until the work has ended; elsewhere it is printed once, at the start.
 * Concurrent steps share the line.
 * @template T
 * @param {string} what like "installing packages"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function during(what, work) {
  if (!process.stderr.isTTY) {
    say(what);
    return work();
  }
  const step = { what, since: Date.now() };
  running.add(step);
  const redraw = setInterval(draw, REDRAW_MS);
  try {
    const result = await work();
    clearLine();
    say(`${what}: ${seconds(step)}`);
    return result;
  } finally {
    clearInterval(redraw);
    running.delete(step);
    clearLine();
  }
}

/** @type {Set<{ what: string, since: number }>} */
const running = new Set();

function draw() {
  const line = `cloudjar: ${[...running].map((step) => `${step.what} ${seconds(step)}`).join(', ')}`;
  clearLine();
  process.stderr.write(line.slice(0, (process.stderr.columns ?? 80) - 1));
}

function clearLine() {
  process.stderr.write('\r\u001b[K');
}

/** @param {{ since: number }} step */
const seconds = ({ since }) => `${Math.round((Date.now() - since) / 1000)} s`;
