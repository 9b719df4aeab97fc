/** An error that the user can fix: printed without a stack. */
export class SetupError extends Error {}

/**
 * Prints progress of the scripts to stderr, so that stdout contains only the program's output.
 * @param {string} line
 */
export function say(line) {
  process.stderr.write(`cloudjar: ${line}\n`);
}

/**
 * Runs a script's body; a SetupError ends it with one message and status 1.
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
