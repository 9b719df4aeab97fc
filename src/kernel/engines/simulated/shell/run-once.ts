import { Forever, Machine } from './machine.ts';
import { parseScript } from './parser.ts';
import { runScript } from './run.ts';
import { SyntaxProblem } from './syntax.ts';

export interface ShellRequest {
  readonly script: string;
  /** By the jar's clock. */
  readonly startedAt: number;
  readonly environment: Readonly<Record<string, string>>;
  /** By path; an empty folder is a name that ends in a slash. */
  readonly files: Readonly<Record<string, string>>;
  readonly hostname: string;
  /** Of the output, from its start; the rest is left out. */
  readonly mostCharacters: number;
}

export interface ShellOutcome {
  /** Both streams, in the order written. */
  readonly output: string;
  readonly truncated: boolean;
  /** Absent for a script that never ends. */
  readonly end?: { readonly at: number; readonly exitCode: number };
  readonly files: Readonly<Record<string, string>>;
}

const BAD_SYNTAX = 2;

/** Runs a script from its start to its end at once. What it does takes time by the jar's clock (`sleep`), so its end lies in the future. */
export function runOnce({
  script,
  startedAt,
  environment,
  files,
  hostname,
  mostCharacters,
}: ShellRequest): ShellOutcome {
  const machine = new Machine({
    startedAt,
    environment: new Map(Object.entries(environment)),
    files: new Map(Object.entries(files)),
    hostname,
    interactive: true,
  });
  let output = '';
  let end: ShellOutcome['end'];
  try {
    const running = runScript(parseScript(script), machine);
    for (;;) {
      const { done, value } = running.next();
      if (done) {
        end = { at: machine.time, exitCode: value };
        break;
      }
      if (output.length <= mostCharacters) output += value.text;
    }
  } catch (thrown) {
    if (thrown instanceof SyntaxProblem) {
      output += `sh: ${thrown.message}\n`;
      end = { at: startedAt, exitCode: BAD_SYNTAX };
    } else if (!(thrown instanceof Forever)) throw thrown;
  }
  const truncated = output.length > mostCharacters;
  return {
    output: truncated ? output.slice(0, mostCharacters) : output,
    truncated,
    ...(end && { end }),
    files: Object.fromEntries(machine.files),
  };
}
