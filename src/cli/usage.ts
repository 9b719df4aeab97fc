import type { Command } from 'commander';
import { usageError } from './errors.ts';

/** `cloudjar clock advance` */
export const commandPath = (command: Command): string =>
  command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();

/** The same without the program name. */
export const shortPath = (command: Command): string => commandPath(command).split(' ').slice(1).join(' ');

/** `cloudjar clock advance <by>` */
const usageOf = (command: Command): string =>
  [
    commandPath(command),
    ...command.registeredArguments.map((each) => {
      const word = `${each.name()}${each.variadic ? '...' : ''}`;
      return each.required ? `<${word}>` : `[${word}]`;
    }),
  ].join(' ');

/** Error for a missing argument: the usage of the command, with an example from its help. */
export function tooFew(command: Command, given: number): Error {
  const missing = command.registeredArguments[given]?.name();
  return usageError(`${shortPath(command)} needs <${missing}>: ${usageOf(command)}${example(command)}`);
}

export function tooMany(command: Command, operands: readonly string[]): Error {
  const most = command.registeredArguments.length;
  const extra = operands[most];
  const path = shortPath(command);
  if (most === 0)
    return usageError(`${path} takes no argument '${extra}', only options (${commandPath(command)} --help lists them)`);
  const count = most === 1 ? 'one argument' : `${most} arguments`;
  return usageError(
    `${path} takes ${count}, but '${extra}' is one more: ${usageOf(command)}; quote a text that contains spaces`,
  );
}

/** Error for a missing required option. */
export const needsOption = (command: Command, flags: string): Error =>
  usageError(`${shortPath(command)} needs ${flags}${example(command)}`);

/** The first example of the command in its own help or in its parent's help. */
function example(command: Command): string {
  const path = commandPath(command);
  for (let each: Command | null = command; each; each = each.parent) {
    const line = helpOf(each)
      .split('\n')
      .map((text) => text.trim())
      .find((text) => text.startsWith(`$ ${path} `));
    if (line !== undefined) return `, such as ${line.slice(2)}`;
  }
  return '';
}

/** The full help as text: `helpInformation` does not include texts from `addHelpText`. */
function helpOf(command: Command): string {
  const { writeOut = () => {} } = command.configureOutput();
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  command.configureOutput({ writeOut });
  return text;
}
