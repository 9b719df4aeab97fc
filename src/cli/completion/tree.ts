import type { Command, Option } from 'commander';

/** The possible completions after one command. */
export interface Place {
  /** `/clock/advance`; empty for the program itself. */
  readonly path: string;
  /** Subcommands, and the possible values of the argument. */
  readonly words: readonly Word[];
  readonly options: readonly OptionWord[];
}

export interface Word {
  readonly word: string;
  readonly description: string;
}

export interface OptionWord extends Word {
  /** A single letter with its dash. */
  readonly short: string | undefined;
  /** The kind of value; undefined if the option takes none. */
  readonly value?:
    | { readonly kind: 'file' | 'folder' | 'text' }
    | { readonly kind: 'choice'; readonly choices: readonly string[] };
}

/** All commands with their options, from the declarations of the commands. */
export function places(program: Command): Place[] {
  const top = placeOf(program, '');
  return [
    { ...top, options: [...top.options, ...ANYWHERE] },
    ...program.commands.flatMap((command) => below(command, '')),
  ];
}

/** Options that may also stand before the command. */
const ANYWHERE: readonly OptionWord[] = [
  { word: '--url', short: undefined, description: 'address of the jar', value: { kind: 'text' } },
  { word: '--data', short: undefined, description: 'data folder of the jar', value: { kind: 'file' } },
  { word: '--json', short: undefined, description: 'print JSON' },
];

const below = (command: Command, parent: string): Place[] => {
  const path = `${parent}/${command.name()}`;
  return [placeOf(command, path), ...command.commands.flatMap((each) => below(each, path))];
};

function placeOf(command: Command, path: string): Place {
  const commands = command.commands.map((each) => ({ word: each.name(), description: each.description() }));
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((word) => ({ word, description })),
  );
  const help: OptionWord = { word: '--help', short: '-h', description: 'print the help' };
  const shown = command.options.filter(({ hidden, long }) => !hidden && long);
  return { path, words: [...commands, ...choices], options: [...shown.map(optionWord), help] };
}

function optionWord(option: Option): OptionWord {
  const { long, short, description } = option;
  const word = { word: long ?? '', short, description: firstSentence(description) };
  return option.required ? { ...word, value: valueKind(option) } : word;
}

/** Derived from the placeholder in the help: `--data <path>`. */
function valueKind({ flags, argChoices }: Option): OptionWord['value'] {
  if (argChoices) return { kind: 'choice', choices: argChoices };
  if (/<folder>$/.test(flags)) return { kind: 'folder' };
  return { kind: /<(path|file)>$/.test(flags) ? 'file' : 'text' };
}

/** Long descriptions would fill the screen. */
function firstSentence(text: string): string {
  const end = text.search(/[.;:]\s| \(|$/);
  return text.slice(0, end).trim();
}

/** Options that take a value in any command, with their short forms. */
export function optionsWithValue(all: readonly Place[]): string[] {
  const options = all.flatMap((place) => place.options);
  const plain = new Set(options.filter(({ value }) => !value).map(({ word }) => word));
  const withValue = options.filter(({ value, word }) => value && !plain.has(word));
  return [...new Set(withValue.flatMap(({ word, short }) => (short ? [word, short] : [word])))];
}
