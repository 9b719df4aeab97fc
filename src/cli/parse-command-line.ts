import type { Command, Option } from 'commander';
import { didYouMean } from '../kernel/config/config.ts';
import { usageError } from './errors.ts';
import { commandPath, tooFew, tooMany } from './usage.ts';

/** The parsed command line: command, options and arguments. */
export interface ParsedCommandLine {
  readonly command: Command;
  readonly options: readonly string[];
  readonly operands: readonly string[];
  /** Help is requested: for the command, or for the subcommand that the operands name. */
  readonly help: boolean;
}

/**
 * Sorts the arguments of the program by the declarations of the commands, so that options may stand anywhere and `-1h` can be an argument.
 * Unknown options and wrong numbers of arguments are reported here; the option parsers check the values.
 */
export function parseCommandLine(program: Command, args: readonly string[]): ParsedCommandLine {
  let command = program;
  const options: string[] = [];
  const operands: string[] = [];
  const rest = [...args];
  while (rest.length > 0) {
    const word = rest.shift() as string;
    if (word === '--') {
      operands.push(...rest.splice(0));
    } else if (isOption(word)) {
      options.push(...takeOption(command, word, rest));
    } else {
      const below = operands.length === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      if (below) command = below;
      else operands.push(word);
    }
  }
  const asksBelow = operands[0] === 'help' && command.commands.length > 0;
  const help = asksBelow || options.includes('--help') || options.includes('-h');
  if (!help) check(command, options, operands);
  return { command, options, operands: asksBelow ? operands.slice(1) : operands, help };
}

/** A single dash is standard input, and a number may be negative. */
const isOption = (word: string): boolean => /^-(?!\d|$)/.test(word);

/** The option and its value, if it takes one and one is given. */
function takeOption(command: Command, word: string, rest: string[]): string[] {
  const [name = '', inline] = splitInline(word);
  // A subcommand may still follow, as in `faults --status 429 add`.
  const known = [command, ...command.commands].map((each) => find(each, name)).find((each) => each !== undefined);
  if (known === undefined) return [word];
  if (!known.required && !known.optional) {
    if (inline !== undefined) throw usageError(`${name} takes no value, but '${inline}' was given`);
    return [word];
  }
  if (inline !== undefined) return [`${known.long}=${inline}`];
  const [next] = rest;
  if (known.optional && (next === undefined || isOption(next))) return [word];
  const isMissing = next === undefined || (next.startsWith('--') && find(command, splitInline(next)[0] ?? ''));
  if (isMissing) throw usageError(`${name} needs a value: ${known.flags}`);
  rest.shift();
  return [`${known.long}=${next}`];
}

function splitInline(word: string): [name: string, value?: string] {
  const at = word.indexOf('=');
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

const find = ({ options }: Command, name: string): Option | undefined =>
  options.find(({ long, short }) => name === long || name === short);

function check(command: Command, options: readonly string[], operands: readonly string[]): void {
  for (const each of options) {
    const [name] = splitInline(each);
    if (!find(command, name)) throw unknownOption(command, name);
  }
  const wanted = command.registeredArguments;
  // The command itself reports an unknown subcommand.
  if (command.commands.length > 0) return;
  if (operands.length < wanted.filter(({ required }) => required).length) throw tooFew(command, operands.length);
  if (operands.length > wanted.length && !wanted.at(-1)?.variadic) throw tooMany(command, operands);
}

function unknownOption(command: Command, typed: string): Error {
  const names = command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));
  const near = didYouMean(
    typed.replace(/^-+/, ''),
    names.map((name) => name.slice(2)),
  );
  const path = commandPath(command);
  const hint = near ? `did you mean --${near}?` : `${path} --help lists them`;
  return usageError(`unknown option '${typed}' (${hint})`);
}
