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
    .description('show the time of the jar, or move it')
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
    .argument('<by>', 'how far: 90s, 36h, 3d, 1h30m, or ISO 8601 as in PT36H', duration)
    .description('move time on and run everything that falls due on the way')
    .addHelpText('after', EXAMPLES)
    .action(async (by: string, _own: unknown, command: Command) => {
      const options = command.optsWithGlobals<JarCommandOptions>();
      const answer = await advanceWithProgress(connect(options, { by: '<by>' }), by, process.stderr);
      print(options, answer, `it is ${answer.now} in the jar; ${count(answer.fired)} ran on the way`);
    });
}

function unknownAction(typed: string): Error {
  const near = didYouMean(typed, ['advance']);
  return usageError(
    `unknown command 'clock ${typed}' (${near ? `did you mean clock ${near}?` : 'there is clock advance'})`,
  );
}

const count = (fired: number): string => (fired === 1 ? '1 due item' : `${fired} due items`);
