import type { Command } from 'commander';

/** A file below `commands/` declares one command: its options, its help and what it does. */
export interface CommandFile {
  declare(program: Command): void;
}

/** Every command, in the order of the help. Adding one is a file, a line in `commands/index.ts` and a word here. */
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
