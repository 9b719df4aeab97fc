import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { styleOf } from '../../kernel/telemetry/colours.ts';
import { CliError, usageError } from '../errors.ts';
import { findJar } from '../find-jar.ts';
import { addJarOptions, type JarCommandOptions } from '../jar-command.ts';
import { logPath } from '../log-file.ts';
import { formatLogLine, logLineAsJson } from '../log-lines.ts';
import { followLog, lastLines } from '../read-log.ts';
import { untilEnded, written } from '../until-ended.ts';
import { wholeNumber } from '../values.ts';

const EXAMPLES = `
This is the log of jars in the background, started with cloudjar start --detach.

Examples:
  $ cloudjar logs
  $ cloudjar logs --follow
  $ cloudjar logs --lines 500 --json | jq 'select(.level == "error")'`;

const DEFAULT_LINES = 50;
const MOST_LINES = 1_000_000;
/** Lines per write: one write per line is slow, and a single write for all lines needs much memory. */
const LINES_AT_ONCE = 1000;

interface LogOptions extends JarCommandOptions {
  readonly follow?: boolean;
  readonly lines?: number;
}

export function declare(program: Command): void {
  addJarOptions(program.command('logs'))
    .description('show the log of a jar in the background')
    .option('-f, --follow', 'also print new lines, until Ctrl-C')
    .option('--lines <n>', `number of last lines (default ${DEFAULT_LINES})`, wholeNumber({ to: MOST_LINES }))
    .addHelpText('after', EXAMPLES)
    .action(async ({ follow, lines = DEFAULT_LINES, ...options }: LogOptions) => {
      if (options.url !== undefined) throw usageError('the log is a file in the data folder: use --data, not --url');
      const { folder } = findJar(options);
      if (!existsSync(logPath(folder))) {
        throw new CliError(
          `${logPath(folder)} does not exist: only jars in the background (cloudjar start --detach) write a log file`,
        );
      }
      await untilEnded(async (ends) => {
        const show = async (some: readonly string[]): Promise<void> => {
          for (let at = 0; at < some.length && !ends.aborted; at += LINES_AT_ONCE)
            await written(shownLines(some.slice(at, at + LINES_AT_ONCE), options));
        };
        const { lines: last, end } = await lastLines(folder, lines);
        await show(last);
        if (follow) await followLog(folder, end, show, ends);
      });
    });
}

function shownLines(lines: readonly string[], { json }: LogOptions): string {
  const style = styleOf(process.stdout, process.env);
  return lines.map((line) => `${json ? logLineAsJson(line) : formatLogLine(line, style)}\n`).join('');
}
