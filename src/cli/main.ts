import { commandFirst } from './command-first.ts';
import { COMMANDS } from './commands.ts';
import { CliError, report } from './errors.ts';

/**
 * The command line; importing it runs what `process.argv` says. `start` goes its own way, past the library that reads the
 * other commands, as the time from the command to the first answer is what people wait for.
 */
async function main(typed: readonly string[]): Promise<void> {
  const args = commandFirst(typed, Object.keys(COMMANDS));
  const [name, ...rest] = args;
  const left = name === 'start' ? await (await import('./start.ts')).start(rest) : 'command';
  if (left === undefined) return;
  const { runCommand, startDetached } = await import('./program.ts');
  await (typeof left === 'object' ? startDetached(left.detach) : runCommand(args));
}

// Whoever reads may have read enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.exit(report(new CliError(`the output cannot be written: ${error.message}`)));
});

try {
  await main(process.argv.slice(2));
} catch (error) {
  // Not left to run out: whatever a failed start still holds must not keep the shell waiting.
  process.exit(report(error));
}
