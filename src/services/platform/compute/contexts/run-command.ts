import type { PlatformJar } from '../../jar.ts';
import { directivesIn } from '../../jobs/running/program.ts';
import type { CommandResult, ExecutionContext } from '../collections.ts';
import { runLiteral } from './literals.ts';
import { runShell } from './shell.ts';

/** One command, as whatever runs it gets it. */
export interface CommandRequest {
  readonly context: ExecutionContext;
  readonly language: string;
  readonly command: string;
  /** By the jar's clock. */
  readonly startedAt: number;
}

export interface CommandOutcome {
  readonly result: CommandResult;
  /** When it ends by the jar's clock. Absent: never, until it is cancelled. */
  readonly endsAt?: number;
  /** The driver's files afterwards, where the command has changed them. */
  readonly files?: Readonly<Record<string, string>>;
}

const SHELL = /^\s*%sh\b/;
const MAGIC = /^\s*%(python|scala|sql|r)\b[ \t]*\r?\n?/;

/**
 * The seam behind which commands run; called by the work item of a context, outside of any transaction. `%sh` runs in the simulated shell, and so do
 * directives (`# cloudjar: sleep 60; exit 1`), as in the programs of tasks. Otherwise only statements with literals are simulated, in Python, Scala, R
 * and SQL: anything else would need an image, and there is none behind a cluster.
 */
export async function runCommand(_jar: PlatformJar, request: CommandRequest): Promise<CommandOutcome> {
  if (SHELL.test(request.command)) return runShell(request);
  const directives = directivesIn(request.command);
  if (directives !== '') return runShell({ ...request, command: directives });
  const magic = MAGIC.exec(request.command);
  const language = magic?.[1] ?? request.language;
  return runLiteral({
    ...request,
    language,
    command: magic ? request.command.slice(magic[0].length) : request.command,
  });
}
