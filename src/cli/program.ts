import { Command, CommanderError } from 'commander';
import { didYouMean } from '../kernel/config/config.ts';
import { VERSION } from '../version.ts';
import { COMMANDS } from './commands.ts';
import { usageError } from './errors.ts';
import { printHelp } from './help.ts';
import { asUsageError } from './mistakes.ts';
import { parseCommandLine } from './parse-command-line.ts';

export { startDetached } from './detach.ts';

const EXAMPLES = `
Examples:
  $ cloudjar start --memory --clock virtual      a jar in memory, with a clock that stands still
  $ cloudjar start --detach                      a jar in the background; cloudjar stop ends it
  $ cloudjar token                               a token for every service, for $(…) in a shell
  $ cloudjar clock advance 36h                   runs all work that falls due in the next 36 hours
  $ cloudjar doctor                              what is wrong, and how to make programs trust the jar

Options may stand before or after the command: cloudjar --data x clock is cloudjar clock --data x.
Each command has its own help: cloudjar help clock`;

/** Runs any command except a plain `start`. */
export async function runCommand(args: readonly string[]): Promise<void> {
  const isCommand = Object.hasOwn(COMMANDS, args[0] ?? '');
  // Only the requested command is declared; help and error messages need all of them.
  const program = await declareProgram(isCommand ? [args[0] as string] : Object.keys(COMMANDS));
  if (args.length === 0 || args[0] === 'help') {
    printHelp(
      program,
      args.slice(1).filter((word) => !/^(-h|--help|help)$/.test(word)),
    );
    return;
  }
  if (
    args.every((word) => word === '--json') ||
    (args[0]?.startsWith('-') && !/^(-h|--help|-V|--version)$/.test(args[0]))
  )
    throw noCommand(args);
  if (!isCommand) return runProgram(program, args);
  const { command, options, operands, help } = parseCommandLine(program, args);
  if (help) return printHelp(command, command.commands.length > 0 ? operands : []);
  try {
    await command.parseAsync([...options, '--', ...operands], { from: 'user' });
  } catch (error) {
    throw error instanceof CommanderError ? asUsageError(error, command) : error;
  }
}

/** One of the words may be a mistyped command: `cloudjar --data x statsu`. */
function noCommand(args: readonly string[]): Error {
  const near = args
    .filter((word) => !word.startsWith('-'))
    .map((word) => didYouMean(word, Object.keys(COMMANDS)))
    .find((name) => name !== undefined);
  const hint = near === undefined ? 'cloudjar --help lists them' : `did you mean ${near}?`;
  return usageError(`there is no command in '${args.join(' ')}' (${hint})`);
}

/** The program with only the named commands. */
export async function declareProgram(names: readonly string[]): Promise<Command> {
  const program = new Command('cloudjar')
    .description('A whole vendor cloud in a jar.')
    .usage('<command> [options]')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', EXAMPLES)
    // The descriptions already list and explain the choices.
    .configureHelp({ optionDescription: ({ description }) => description })
    // Inherited by the commands: errors are thrown, and reported in one line like all others.
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  for (const name of names) (await COMMANDS[name]?.())?.declare(program);
  return program;
}

/** Handles `--help`, `--version` and unknown commands. */
async function runProgram(program: Command, args: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw asUsageError(error, program);
  }
}
