import type { PlatformJar } from '../../jar.ts';
import { directivesIn } from '../../jobs/running/program.ts';
import type { Effect } from '../../warehouses/tables/write.ts';
import type { CommandResult, ExecutionContext } from '../collections.ts';
import { runLiteral } from './literals.ts';
import { runShell } from './shell.ts';
import { runSqlCommand } from './sql.ts';

/** A command with what is needed to run it. */
export interface CommandRequest {
  readonly context: ExecutionContext;
  readonly language: string;
  readonly command: string;
  /** By the jar's clock. */
  readonly startedAt: number;
}

export interface CommandOutcome {
  readonly result: CommandResult;
  /** When it ends, by the jar's clock. Absent: only when it is cancelled. */
  readonly endsAt?: number;
  /** The driver's files after the command, if it has changed them. */
  readonly files?: Readonly<Record<string, string>>;
  /** Changes of tables. */
  readonly effect?: Pick<Effect, 'apply' | 'discard'>;
}

const SHELL = /^\s*%sh\b/;
const MAGIC = /^\s*%(python|scala|sql|r)\b[ \t]*\r?\n?/;

/** The language of a command: named by its first line, otherwise the one it was sent with. */
export const languageOf = ({ language, command }: Pick<CommandRequest, 'language' | 'command'>): string =>
  SHELL.test(command) ? 'sh' : (MAGIC.exec(command)?.[1] ?? language);

/** Python and shell commands run in the container if their context has an interpreter; all others are simulated. */
export const runsInContainer = (
  { status }: Pick<ExecutionContext, 'status'>,
  command: Pick<CommandRequest, 'language' | 'command'>,
): boolean => status !== undefined && ['python', 'sh'].includes(languageOf(command));

/**
 * Simulates a command; called by the work item of a context, outside of transactions. `%sh` runs in the simulated shell, including
 * directives (`# cloudjar: sleep 60; exit 1`), as in the programs of tasks. SQL is executed. Otherwise only statements with literals are
 * simulated, in Python, Scala and R: anything else would need an image.
 */
export async function runCommand(jar: PlatformJar, request: CommandRequest): Promise<CommandOutcome> {
  const language = languageOf(request);
  if (language === 'sh') return runShell(request);
  const directives = directivesIn(request.command);
  if (directives !== '') return runShell({ ...request, command: directives });
  const program = { ...request, language, command: request.command.replace(MAGIC, '') };
  return language === 'sql' ? runSqlCommand(jar, program) : runLiteral(program);
}
