import { parseArgs } from 'node:util';
import { commandLineOptions, didYouMean } from '../kernel/config/config.ts';
import { usageError } from './errors.ts';

export interface StartArguments {
  /** By the name of the setting, as typed. */
  readonly flags: Readonly<Record<string, string | boolean | readonly string[]>>;
  readonly json: boolean;
  /** Run the jar in the background. */
  readonly detach: boolean;
  /** All arguments, for the process that runs in the background. */
  readonly words: readonly string[];
  /** Help is requested. */
  readonly help: boolean;
}

/** Parses the arguments of `start` by the table of settings; `loadConfig` checks the values. */
export function readStartArguments(args: readonly string[]): StartArguments {
  const known = new Map(commandLineOptions().map((option) => [flagOf(option.syntax), option]));
  const names = [...known.keys(), 'json', 'detach', 'help'];
  const options = Object.fromEntries(
    names.map((name) => [name, { type: known.get(name)?.syntax.includes(' ') ? 'string' : 'boolean' } as const]),
  );
  const flags: Record<string, string | boolean | readonly string[]> = {};
  let json = false;
  let detach = false;
  const ofDetach = new Set<number>();
  let help = false;
  for (const token of parseArgs({ args: [...args], options, strict: false, tokens: true }).tokens) {
    if (token.kind === 'positional') throw usageError(`start takes no argument '${token.value}', only options`);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (name === 'json') json = true;
    else if (name === 'detach' || rawName === '-d') {
      detach = value !== 'false';
      ofDetach.add(token.index);
    } else if (name === 'help' || rawName === '-h') help = true;
    else {
      const option = known.get(name);
      if (!option || !rawName.startsWith('--')) throw unknownOption(rawName, names);
      const takesValue = options[name]?.type === 'string';
      if (
        takesValue &&
        (value === undefined || (!token.inlineValue && value.startsWith('--') && known.has(value.slice(2))))
      ) {
        throw usageError(`--${name} needs a value: ${option.syntax}`);
      }
      const given = value ?? true;
      flags[option.name] = option.repeatable ? [...((flags[option.name] as string[]) ?? []), String(given)] : given;
    }
  }
  return { flags, json, detach, words: args.filter((_, index) => !ofDetach.has(index)), help };
}

function unknownOption(typed: string, names: readonly string[]): Error {
  const near = didYouMean(typed.replace(/^-+/, ''), names);
  const hint = near ? `did you mean --${near}?` : 'cloudjar start --help lists them';
  return usageError(`unknown option '${typed}' (${hint})`);
}

const flagOf = (syntax: string): string => syntax.slice(2).split(' ', 1)[0] as string;
