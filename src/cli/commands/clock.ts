import type { Command } from 'commander';
import { didYouMean } from '../../kernel/config/config.ts';
import { usageError } from '../errors.ts';
import { addJarOptions, connect, type JarCommandOptions, print } from '../jar-command.ts';
import { advanceWithProgress, type OfKind } from '../progress.ts';
import { duration } from '../values.ts';

const EXAMPLES = `
Examples:
  $ cloudjar clock
  $ cloudjar clock advance 36h
  $ cloudjar clock advance 36h --preview
  $ cloudjar clock advance PT90M --json`;

interface ClockAnswer {
  readonly now: string;
  readonly mode: string;
  readonly nextDue: string | null;
}

interface AdvanceOptions extends JarCommandOptions {
  readonly preview?: boolean;
}

interface PreviewAnswer {
  readonly to: string;
  readonly total: number;
  readonly byKind: readonly (OfKind & { readonly firstAt: string; readonly lastAt: string })[];
  readonly note: string;
}

export function declare(program: Command): void {
  const clock = addJarOptions(program.command('clock'))
    .description("show the jar's time, or advance it")
    .addHelpText('after', EXAMPLES)
    .allowExcessArguments()
    .action(async (options: JarCommandOptions, { args: [unknown] }: Command) => {
      if (unknown !== undefined) throw unknownAction(unknown);
      const answer = (await connect(options).get('/_jar/clock')) as ClockAnswer;
      const due = answer.nextDue === null ? 'nothing is due' : `next due at ${answer.nextDue}`;
      print(options, answer, `${answer.now} (${answer.mode}), ${due}`);
    });
  addJarOptions(clock.command('advance'))
    .allowExcessArguments(false)
    .argument('<by>', 'duration: 90s, 36h, 3d, 1h30m, or ISO 8601 such as PT36H', duration)
    .option('--preview', 'show what would run, and change nothing')
    .description('advance the clock and run all work that falls due')
    .addHelpText('after', EXAMPLES)
    .action(async (by: string, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<AdvanceOptions>();
      const client = connect(options, { by: '<by>' });
      if (options.preview) {
        const preview = (await client.get(`/_jar/clock/preview?by=${encodeURIComponent(by)}`)) as PreviewAnswer;
        return print(options, preview, previewLines(preview).join('\n'));
      }
      const answer = await advanceWithProgress(client, by, process.stderr);
      const ran = (answer.work ?? []).map((each) => kindLine(each, each.failed === 0 ? '' : `, ${each.failed} failed`));
      print(options, answer, [`the jar's time is ${answer.now}; ${count(answer.fired)} ran`, ...ran].join('\n'));
    });
}

function unknownAction(typed: string): Error {
  const near = didYouMean(typed, ['advance']);
  return usageError(
    `unknown command 'clock ${typed}' (${near ? `did you mean clock ${near}?` : 'there is clock advance'})`,
  );
}

function previewLines({ to, total, byKind, note }: PreviewAnswer): string[] {
  const kinds = byKind.map((each) => {
    const until = each.lastAt === each.firstAt ? '' : ` to ${each.lastAt}`;
    return kindLine(each, `, ${each.firstAt}${until}`);
  });
  return [`until ${to}, ${count(total)} would run`, ...kinds, note];
}

const COUNT_WIDTH = 7;

/** A kind of another release has no title. */
const kindLine = ({ kind, title, count: number }: OfKind, rest: string): string =>
  `${String(number).padStart(COUNT_WIDTH)}  ${title === undefined ? kind : `${title} (${kind})`}${rest}`;

const count = (fired: number): string => (fired === 1 ? '1 due item' : `${fired} due items`);
