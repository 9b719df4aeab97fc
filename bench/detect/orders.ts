import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Tally } from './measured.ts';
import type { SpeedRatio } from './speed.ts';
import type { LanguageTexts } from './texts.ts';

/** A task for a detector process. */
export type Order =
  | {
      readonly task: 'measure';
      readonly name: string;
      readonly languages: readonly LanguageTexts[];
      readonly quick: boolean;
    }
  | {
      readonly task: 'take turns';
      readonly subject: string;
      readonly baseline: string;
      readonly languages: readonly LanguageTexts[];
      readonly quick: boolean;
    };

export interface Measured {
  readonly name: string;
  readonly tally: Tally;
  readonly perSecond: number;
  readonly loadMs: number;
  /** Resident memory that loading and a first answer add, in MB of 1024 × 1024 bytes. */
  readonly memoryMb: number;
}

/** The answer of a detector process. */
export type Outcome<Result> = { readonly result: Result } | { readonly failure: string };

const program = fileURLToPath(new URL('detector-process.ts', import.meta.url));

/** In its own process, so that memory and speed are those of one detector. */
export function measure(order: Extract<Order, { task: 'measure' }>): Promise<Outcome<Measured>> {
  return runApart(order);
}

export function takeTurns(order: Extract<Order, { task: 'take turns' }>): Promise<Outcome<SpeedRatio>> {
  return runApart(order);
}

function runApart<Result>(order: Order): Promise<Outcome<Result>> {
  const child = fork(program, [], { execArgv: ['--expose-gc'], serialization: 'advanced' });
  return new Promise((resolve, reject) => {
    child.once('message', (outcome) => resolve(outcome as Outcome<Result>));
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ failure: `its process ended with ${signal ?? `status ${code}`}` }));
    child.send(order);
  });
}
