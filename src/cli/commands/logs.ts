import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { styleOf } from '../../kernel/telemetry/colours.ts';
import { CliError, usageError } from '../errors.ts';
import { findJar } from '../find-jar.ts';
import { addJarOptions, type JarCommandOptions } from '../jar-command.ts';
import { logPath } from '../log-file.ts';
import { formatLogLine } from '../log-lines.ts';
import { followLog, lastLines } from '../read-log.ts';
import { wholeNumber } from '../values.ts';

const EXAMPLES = `
It is the log of jars that run in the background: those of cloudjar start --detach.

Examples:
  $ cloudjar logs
  $ cloudjar logs --follow
  $ cloudjar logs --lines 500 --json | jq 'select(.level == "error")'`;

const DEFAULT_LINES = 50;
const MOST_LINES = 1_000_000;

interface LogOptions extends JarCommandOptions {
  readonly follow?: boolean;
  readonly lines?: number;
}

export function declare(program: Command): void {
  addJarOptions(program.command('logs'))
    .description('show the log of a jar in the background')
    .option('-f, --follow', 'go on with new lines until Ctrl-C')
    .option('--lines <n>', `the last so many lines (default ${DEFAULT_LINES})`, wholeNumber({ to: MOST_LINES }))
    .addHelpText('after', EXAMPLES)
    .action(async ({ follow, lines = DEFAULT_LINES, ...options }: LogOptions) => {
      if (options.url !== undefined)
        throw usageError('the log is a file of the data folder: name that with --data, not --url');
      const { folder } = findJar(options);
      if (!existsSync(logPath(folder))) {
        throw new CliError(
          `there is no ${logPath(folder)}: jars write one that run in the background, by cloudjar start --detach`,
        );
      }
      const shown = (line: string): string =>
        options.json ? asJson(line) : formatLogLine(line, styleOf(process.stdout, process.env));
      const write = (line: string): void => void process.stdout.write(`${shown(line)}\n`);
      const { lines: last, end } = await lastLines(folder, lines);
      for (const line of last) write(line);
      if (follow) await followLog(folder, end, write);
    });
}

/** Lines of Node itself, such as those of a crash, are no JSON. */
function asJson(line: string): string {
  try {
    JSON.parse(line);
    return line;
  } catch {
    return JSON.stringify({ msg: line });
  }
}
