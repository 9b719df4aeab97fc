import { type Command, Option } from 'commander';
import { printable, printableLines } from '../kernel/telemetry/printable.ts';
import { type ControlClient, controlClient } from './control-client.ts';
import { findJar } from './find-jar.ts';
import type { OptionNames } from './own-words.ts';

export interface JarCommandOptions {
  readonly url?: string;
  readonly data?: string;
  readonly json?: boolean;
}

/** The options of every command that talks to a running jar. */
export function addJarOptions(command: Command): Command {
  return command
    .option('--url <url>', 'address of the jar (default: CLOUDJAR_URL, else the jar that runs on the data folder)')
    .option('--data <path>', 'data folder of the jar, which contains its address and its admin key')
    .option('--json', 'print JSON');
}

/** For commands that need no jar: accepts the options, because `cloudjar --data x` can be an alias for any command. */
export function ignoreJarOptions(command: Command): Command {
  return command.addOption(new Option('--url <url>').hideHelp()).addOption(new Option('--data <path>').hideHelp());
}

/** `names` maps the properties of a request to the options that set them. */
export function connect(options: JarCommandOptions, names: OptionNames = {}): ControlClient {
  return controlClient(findJar(options), names);
}

/** Prints the answer of a command: JSON for programs, text for people, both without control characters. */
export function print(options: JarCommandOptions, value: unknown, text: string): void {
  process.stdout.write(`${options.json ? printable(JSON.stringify(value)) : printableLines(text)}\n`);
}
