import type { Command } from 'commander';
import { didYouMean } from '../kernel/config/config.ts';
import { usageError } from './errors.ts';
import { shortPath } from './usage.ts';

/** Prints the help of the command that the words name, as in `help clock advance`. */
export function printHelp(top: Command, words: readonly string[]): void {
  let command = top;
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (!next) throw unknownCommand(command, word);
    command = next;
  }
  command.outputHelp();
}

function unknownCommand(command: Command, word: string): Error {
  const { commands } = command;
  const near = didYouMean(
    word,
    commands.map((each) => each.name()),
  );
  const full = (name: string): string => [shortPath(command), name].filter(Boolean).join(' ');
  const hint = near ? `did you mean ${full(near)}?` : 'cloudjar --help lists them';
  return usageError(`unknown command '${full(word)}' (${hint})`);
}
