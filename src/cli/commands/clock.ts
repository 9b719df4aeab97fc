import type { Command } from 'commander';
import { didYouMean } from '../../kernel/config/config.ts';
import { usageError } from '../errors.ts';
import { addJarOptions, connect, type JarCommandOptions, print } from '../jar-command.ts';
import { advanceWithProgress } from '../progress.ts';
import { duration } from '../values.ts';

const EXAMPLES = `
Examples:
  $ cloudjar clock
  $ cloudjar clock advance 36h
  $ cloudjar clock advance PT90M --json`;

interface ClockAnswer {
  readonly now: string;
  readonly mode: string;
  readonly nextDue: string | null;
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
    .description('advance the clock and run all work that falls due')
    .addHelpText('after', EXAMPLES)
    .action(async (by: string, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<JarCommandOptions>();
      const answer = await advanceWithProgress(connect(options, { by: '<by>' }), by, process.stderr);
      print(options, answer, `the jar's time is ${answer.now}; ${count(answer.fired)} ran`);
    });
}

function unknownAction(typed: string): Error {
  const near = didYouMean(typed, ['advance']);
  return usageError(
    `unknown command 'clock ${typed}' (${near ? `did you mean clock ${near}?` : 'there is clock advance'})`,
  );
}

const count = (fired: number): string => (fired === 1 ? '1 due item' : `${fired} due items`);
