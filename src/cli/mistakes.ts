import type { Command, CommanderError } from 'commander';
import { didYouMean } from '../kernel/config/config.ts';
import { usageError } from './errors.ts';
import { needsOption } from './usage.ts';

/** `option '--top <n>' argument '0' is invalid. a whole number from 1`: the option, its value, and what is accepted. */
const BAD_OPTION = /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '([\s\S]*)' is invalid\. ([\s\S]*)$/;
const BAD_ARGUMENT = /^command-argument value '([\s\S]*)' is invalid for argument '([^']*)'\. ([\s\S]*)$/;
const CHOICES = /^Allowed choices are (.*)\.$/;
const NEEDED_OPTION = /^required option '([^']*)' not specified$/;

/** Turns an error of commander into one line in this program's style. */
export function asUsageError(error: CommanderError, command: Command): Error {
  const text = error.message.replace(/^error: /, '');
  const [, option, value, expected] = BAD_OPTION.exec(text) ?? [];
  if (option !== undefined) return usageError(mustBe(option, expected ?? '', value ?? ''), error);
  const [, typed, name, wanted] = BAD_ARGUMENT.exec(text) ?? [];
  if (name !== undefined) return usageError(mustBe(`<${name}>`, wanted ?? '', typed ?? ''), error);
  const needed = NEEDED_OPTION.exec(text)?.[1];
  if (needed !== undefined) return needsOption(command, needed);
  return usageError(oneLine(text, error.code), error);
}

/** Value parsers throw only what is accepted; name and value are added here. */
function mustBe(name: string, expected: string, value: string): string {
  const shown = value.length > 80 ? `${value.slice(0, 77)}...` : value;
  const choices = CHOICES.exec(expected)?.[1]?.split(', ');
  if (choices === undefined) return `${name} must be ${expected}, not '${shown}'`;
  const near = didYouMean(value, choices);
  return `${name} must be one of ${choices.join(', ')}, not '${shown}'${near ? ` (did you mean ${near}?)` : ''}`;
}

/** `unknown command 'tokn'\n(Did you mean token?)` */
function oneLine(message: string, code: string): string {
  const text = message
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .replace('(Did', '(did');
  const isSuggested = text.includes('(did you mean');
  return code === 'commander.unknownCommand' && !isSuggested ? `${text} (cloudjar --help lists them)` : text;
}
