import type { Command } from 'commander';

/** A file below `commands/` declares one command: its options, its help and what it does. */
export interface CommandFile {
  declare(program: Command): void;
}

/** Every command, in the order of the help. Adding one is a file and a line here. */
export const COMMANDS: Readonly<Record<string, () => Promise<CommandFile>>> = {
  start: () => import('./commands/start.ts'),
  token: () => import('./commands/token.ts'),
  keys: () => import('./commands/keys.ts'),
  clock: () => import('./commands/clock.ts'),
  deliveries: () => import('./commands/deliveries.ts'),
  faults: () => import('./commands/faults.ts'),
  limits: () => import('./commands/limits.ts'),
  snapshot: () => import('./commands/snapshot.ts'),
  reset: () => import('./commands/reset.ts'),
  detect: () => import('./commands/detect.ts'),
  doctor: () => import('./commands/doctor.ts'),
};
