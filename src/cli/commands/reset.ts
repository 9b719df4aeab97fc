import type { Command } from 'commander';
import { addJarOptions, connect, type JarCommandOptions, print } from '../jar-command.ts';

export function declare(program: Command): void {
  addJarOptions(program.command('reset'))
    .description('reset all state and the clock to the seed')
    .action(async (options: JarCommandOptions) => {
      const answer = (await connect(options).post('/_jar/reset')) as { now: string };
      print(options, answer, `reset to the seed; the jar's time is ${answer.now}`);
    });
}
