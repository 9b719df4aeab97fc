import type { Command } from 'commander';
import { type ControlClient, controlClient } from './control-client.ts';
import { findJar } from './find-jar.ts';

export interface JarCommandOptions {
  readonly url?: string;
  readonly data?: string;
  readonly json?: boolean;
}

/** The options that every command has which talks to a running jar. */
export function addJarOptions(command: Command): Command {
  return command
    .option('--url <url>', 'address of the jar (default: CLOUDJAR_URL, else the jar that runs in the data folder)')
    .option('--data <path>', 'data folder of the jar, where its address and its admin key are found')
    .option('--json', 'print JSON');
}

export function connect(options: JarCommandOptions): ControlClient {
  return controlClient(findJar(options));
}

/** The one answer of a command: JSON for programs, text for people. */
export function print(options: JarCommandOptions, value: unknown, text: string): void {
  process.stdout.write(`${options.json ? JSON.stringify(value) : text}\n`);
}
