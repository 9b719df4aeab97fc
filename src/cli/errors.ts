import { writeSync } from 'node:fs';
import { printableLines } from '../kernel/telemetry/printable.ts';

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/** What ends a command: one line for whoever typed it, and a status for the shell. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;
  /** Lines that show the place of the mistake, below the message. */
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

/** A mistake on the command line, in the environment or in the configuration file. */
export function usageError(message: string, cause?: unknown): CliError {
  return new CliError(message, EXIT_USAGE, { cause });
}

/** Errors that were written for the reader; any other says that something unforeseen happened. */
const MEANT_FOR_READERS = new Set(['CliError', 'ConfigError', 'StoreError', 'AuthorityError']);

/** Says on stderr what went wrong, in one line, and gives the status to exit with. `CLOUDJAR_DEBUG=1` adds the stack. */
export function report(error: unknown): number {
  const debug = process.env.CLOUDJAR_DEBUG === '1';
  writeLine(`cloudjar: ${messageOf(error)}`);
  if (error instanceof CliError) for (const line of error.excerpt) writeLine(line);
  if (debug && error instanceof Error) writeLine(stackOf(error));
  return error instanceof CliError ? error.exitCode : EXIT_FAILED;
}

/** What went wrong, in one line. */
export function messageOf(error: unknown): string {
  const known = error instanceof Error && MEANT_FOR_READERS.has(error.name);
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

/** Written at once: the process may end right after. */
function writeLine(line: string): void {
  try {
    writeSync(2, `${printableLines(line)}\n`);
  } catch {
    // Nobody listens on stderr any more; the status still says it.
  }
}
