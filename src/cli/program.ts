import { Command, CommanderError } from 'commander';
import { VERSION } from '../version.ts';
import { COMMANDS } from './commands.ts';
import { usageError } from './errors.ts';
import { printHelp } from './help.ts';

const EXAMPLES = `
Examples:
  $ cloudjar start --memory --clock virtual      a jar that forgets, with time that stands still
  $ cloudjar token                               a token for every service, for $(…) in a shell
  $ cloudjar clock advance 36h                   runs everything that falls due in the next 36 hours
  $ cloudjar doctor                              what is wrong, and how to make programs trust the jar

Each command has its own help: cloudjar help clock`;

/** Runs any command but a plain `start`. */
export async function runCommand(args: readonly string[]): Promise<void> {
  const program = new Command('cloudjar')
    .description('A whole vendor cloud in a jar.')
    .usage('<command> [options]')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', EXAMPLES)
    // Inherited by the commands: mistakes are thrown, and told as one line like every other.
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  const named = COMMANDS[args[0] ?? ''];
  // The one that was asked for is enough; help and mistakes need the names of all.
  const wanted = named ? [named] : Object.values(COMMANDS);
  for (const load of wanted) (await load()).declare(program);
  const isHelp = args.length === 0 || args[0] === 'help';
  if (isHelp) {
    printHelp(
      program,
      args.slice(1).filter((word) => !/^(-h|--help|help)$/.test(word)),
    );
    return;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    throw usageError(oneLine(error), error);
  }
}

/** `error: unknown command 'tokn'\n(Did you mean token?)` as one line of ours. */
function oneLine({ message, code }: CommanderError): string {
  const text = message
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace('(Did', '(did');
  const isSuggested = text.includes('(did you mean');
  return code === 'commander.unknownCommand' && !isSuggested ? `${text} (cloudjar --help lists them)` : text;
}
