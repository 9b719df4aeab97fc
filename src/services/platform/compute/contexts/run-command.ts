import type { PlatformJar } from '../../jar.ts';
import { directivesIn } from '../../jobs/running/program.ts';
import type { Effect } from '../../warehouses/tables/write.ts';
import type { CommandResult, ExecutionContext } from '../collections.ts';
import { runLiteral } from './literals.ts';
import { runShell } from './shell.ts';
import { runSqlCommand } from './sql.ts';

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
  /** What it changes of tables. */
  readonly effect?: Pick<Effect, 'apply' | 'discard'>;
}

const SHELL = /^\s*%sh\b/;
const MAGIC = /^\s*%(python|scala|sql|r)\b[ \t]*\r?\n?/;

/** The language of a command: the one that its first line names, else the one it was sent as. */
export const languageOf = ({ language, command }: Pick<CommandRequest, 'language' | 'command'>): string =>
  SHELL.test(command) ? 'sh' : (MAGIC.exec(command)?.[1] ?? language);

/** Commands of Python and of the shell do, where their context has an interpreter; what else such a context is given is simulated. */
export const runsInContainer = (
  { status }: Pick<ExecutionContext, 'status'>,
  command: Pick<CommandRequest, 'language' | 'command'>,
): boolean => status !== undefined && ['python', 'sh'].includes(languageOf(command));

/**
 * Simulates a command; called by the work item of a context, outside of any transaction. `%sh` runs in the simulated shell, and so do directives
 * (`# cloudjar: sleep 60; exit 1`), as in the programs of tasks. SQL is run. Otherwise only statements with
 * literals are simulated, in Python, Scala and R: anything else would need an image.
 */
export async function runCommand(jar: PlatformJar, request: CommandRequest): Promise<CommandOutcome> {
  const language = languageOf(request);
  if (language === 'sh') return runShell(request);
  const directives = directivesIn(request.command);
  if (directives !== '') return runShell({ ...request, command: directives });
  const program = { ...request, language, command: request.command.replace(MAGIC, '') };
  return language === 'sql' ? runSqlCommand(jar, program) : runLiteral(program);
}
