import type { Command } from 'commander';
import { didYouMean } from '../kernel/config/config.ts';
import { usageError } from './errors.ts';

/** The help of the command that the words name one below the other, as in `help clock advance`. */
export function printHelp(program: Command, words: readonly string[]): void {
  let command = program;
  for (const [at, word] of words.entries()) {
    const next = command.commands.find((each) => each.name() === word);
    if (!next) throw unknownCommand(command, words.slice(0, at), word);
    command = next;
  }
  command.outputHelp();
}

function unknownCommand({ commands }: Command, before: readonly string[], word: string): Error {
  const near = didYouMean(
    word,
    commands.map((each) => each.name()),
  );
  const full = (name: string): string => [...before, name].join(' ');
  const hint = near ? `did you mean ${full(near)}?` : 'cloudjar --help lists them';
  return usageError(`unknown command '${full(word)}' (${hint})`);
}
