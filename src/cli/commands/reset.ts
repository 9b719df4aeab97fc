import type { Command } from 'commander';
import { addJarOptions, connect, type JarCommandOptions, print } from '../jar-command.ts';

export function declare(program: Command): void {
  addJarOptions(program.command('reset'))
    .description('put the jar back to its seed: all state, and the clock')
    .action(async (options: JarCommandOptions) => {
      const answer = (await connect(options).post('/_jar/reset')) as { now: string };
      print(options, answer, `back to the seed; it is ${answer.now} in the jar`);
    });
}
