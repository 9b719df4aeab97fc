import { writeSync } from 'node:fs';
import { printableLines } from '../kernel/telemetry/printable.ts';

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/** Ends a command with a one-line message and an exit status. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;
  /** Lines below the message that show the position of the error. */
  readonly excerpt: readonly string[];

  constructor(
    message: string,
    exitCode: number = EXIT_FAILED,
    { excerpt = [], ...options }: ErrorOptions & { readonly excerpt?: readonly string[] } = {},
  ) {
    super(message, options);
    this.exitCode = exitCode;
    this.excerpt = excerpt;
  }
}

/** An error on the command line, in the environment or in the configuration file. */
export function usageError(message: string, cause?: unknown): CliError {
  return new CliError(message, EXIT_USAGE, { cause });
}

/** Errors whose messages are written for users; any other error is unexpected. */
const USER_ERRORS = new Set(['CliError', 'ConfigError', 'StoreError', 'AuthorityError']);

/** Writes the error to stderr in one line, and returns the exit status. `CLOUDJAR_DEBUG=1` adds the stack. */
export function report(error: unknown): number {
  const debug = process.env.CLOUDJAR_DEBUG === '1';
  writeLine(`cloudjar: ${messageOf(error)}`);
  if (error instanceof CliError) for (const line of error.excerpt) writeLine(line);
  if (debug && error instanceof Error) writeLine(stackOf(error));
  return error instanceof CliError ? error.exitCode : EXIT_FAILED;
}

/** The error as one line. */
export function messageOf(error: unknown): string {
  const known = error instanceof Error && USER_ERRORS.has(error.name);
  const text = error instanceof Error ? error.message || error.name : String(error);
  const message = text
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
  const isShown = known || process.env.CLOUDJAR_DEBUG === '1';
  return `${message}${isShown ? '' : ' (unexpected; CLOUDJAR_DEBUG=1 shows the details)'}`;
}

function stackOf(error: Error): string {
  const stack = error.stack ?? String(error);
  return error.cause instanceof Error ? `${stack}\n  caused by ${stackOf(error.cause)}` : stack;
}

/** Synchronous, because the process may exit right after it. */
function writeLine(line: string): void {
  try {
    writeSync(2, `${printableLines(line)}\n`);
  } catch {
    // stderr is closed; the exit status still reports the error.
  }
}
