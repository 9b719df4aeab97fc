import { commandFirst } from './command-first.ts';
import { COMMANDS } from './commands.ts';
import { CliError, report } from './errors.ts';

/**
 * Entry point of the command line; importing it runs `process.argv`. `start` does not load the option parser of the other commands, because
 * users wait from the command to the first answer.
 */
async function main(typed: readonly string[]): Promise<void> {
  const args = commandFirst(typed, Object.keys(COMMANDS));
  const [name, ...rest] = args;
  const left = name === 'start' ? await (await import('./start.ts')).start(rest) : 'command';
  if (left === undefined) return;
  const { runCommand, startDetached } = await import('./program.ts');
  await (typeof left === 'object' ? startDetached(left.detach) : runCommand(args));
}

// The reader may close the pipe early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.exit(report(new CliError(`the output cannot be written: ${error.message}`)));
});

try {
  await main(process.argv.slice(2));
} catch (error) {
  // An explicit exit, so that resources of a failed start cannot keep the process alive.
  process.exit(report(error));
}
