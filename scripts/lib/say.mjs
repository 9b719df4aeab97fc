/** A mistake or a lack that the reader can mend: printed as it is, without a stack. */
export class SetupError extends Error {}

/**
 * What the scripts do is told on stderr, so that stdout carries the program's own words alone.
 * @param {string} line
 */
export function say(line) {
  process.stderr.write(`cloudjar: ${line}\n`);
}

/**
 * Runs a script's body; a SetupError ends it with one clear message and status 1.
 * @param {() => Promise<void>} body
 */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
