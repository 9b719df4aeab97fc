import { CliError, report } from './errors.ts';

/**
 * The command line; importing it runs what `process.argv` says. `start` goes its own way, past the library that reads the
 * other commands, as the time from the command to the first answer is what people wait for.
 */
async function main(args: readonly string[]): Promise<void> {
  const [name, ...rest] = args;
  if (name === 'start') {
    const { start } = await import('./start.ts');
    if (await start(rest)) return;
  }
  const { runCommand } = await import('./program.ts');
  await runCommand(args);
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
