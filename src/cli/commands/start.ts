import { type Command, Option } from 'commander';
import { commandLineOptions } from '../../kernel/config/config.ts';

const EXAMPLES = `
Every option can also be set in the environment (CLOUDJAR_PORT and so on) or in cloudjar.config.json; see docs/reference/configuration.md.

Examples:
  $ cloudjar start
  $ cloudjar start --detach
  $ cloudjar start --port 0 --https-port 0 --memory
  $ cloudjar start --database-url postgres://jar:secret@db.internal/jar --host 0.0.0.0
  $ cloudjar start --clock virtual --clock-start 2026-01-31T09:00:00Z --seed seed.json`;

/** For help only: `start.ts` parses the options of a start itself, which is faster. */
export function declare(program: Command): void {
  const command = program.command('start').description('run a jar until Ctrl-C').addHelpText('after', EXAMPLES);
  command.option('-d, --detach', 'run in the background, and return when the jar is ready; cloudjar stop ends it');
  for (const { syntax, description, choices } of commandLineOptions()) {
    const option = new Option(syntax, description);
    if (choices) option.argChoices = [...choices];
    command.addOption(option);
  }
  command.option('--json', 'print one JSON object per line instead of text');
}
