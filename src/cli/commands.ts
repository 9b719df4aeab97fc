import type { Command } from 'commander';

/** A file in `commands/` declares one command: its options, its help and its action. */
export interface CommandFile {
  declare(program: Command): void;
}

/** All commands, in the order of the help. To add one, add its file, a line in `commands/index.ts` and its name here. */
const NAMES = [
  'start',
  'status',
  'logs',
  'open',
  'stop',
  'token',
  'keys',
  'clock',
  'datasets',
  'deliveries',
  'faults',
  'limits',
  'mail',
  'platform',
  'request',
  'snapshot',
  'tail',
  'reset',
  'detect',
  'doctor',
  'completion',
] as const;

type CommandName = (typeof NAMES)[number];

const load = async (name: CommandName): Promise<CommandFile> => (await import('./commands/index.ts'))[name];

export const COMMANDS: Readonly<Record<string, () => Promise<CommandFile>>> = Object.fromEntries(
  NAMES.map((name) => [name, () => load(name)]),
);
