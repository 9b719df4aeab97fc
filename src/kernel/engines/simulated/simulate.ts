import { behaviourOf } from './behaviour.ts';
import type { Inside } from './inside.ts';
import { begin, endOf, outputOf, programOf } from './process.ts';
import type { Output } from './shell/machine.ts';

/** A program that is simulated without a container. */
export interface SimulatedProgram {
  /** The name may select a behaviour, as for containers. */
  readonly image?: string;
  /** Number of this run of the image, from 1. */
  readonly run?: number;
  readonly command: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** By path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly hostname: string;
  readonly startedAt: number;
  /** As if typed at a terminal: an unknown command is an error instead of a server that runs forever. */
  readonly interactive?: boolean;
}

export interface SimulatedRun {
  /** Undefined: it runs forever. */
  readonly end?: { readonly at: number; readonly exitCode: number };
  /** The output until the end, or of the first minute if there is no end; at most about this many characters. */
  output(mostCharacters: number): readonly Output[];
  /** The files at the end of that time, by path. */
  files(): Readonly<Record<string, string>>;
  /** Why the program could not start. */
  readonly refused?: string;
}

const MINUTE_MS = 60_000;
const BAD_SYNTAX = 2;
/** Limit for endless loops; low because the simulation blocks the jar. */
const MOST_STEPS = 40_000;

/** Simulates a whole program in advance: when and how it ends, and its output. */
export function simulate(program: SimulatedProgram): SimulatedRun {
  const { image = '', run = 1, command, environment, files = {}, hostname, startedAt, interactive = false } = program;
  const behaviour = behaviourOf(image, run);
  const problem = behaviour.start?.message ?? pullProblem(image, behaviour.pull);
  const nothing = { output: () => [], files: () => files };
  if (problem !== undefined) return { refused: problem, end: { at: startedAt, exitCode: 128 }, ...nothing };
  const parsed = programOf(command, behaviour);
  if (interactive && parsed.kind === 'unknown') {
    const text = `sh: ${parsed.reason.message}\n`;
    const end = { at: startedAt, exitCode: BAD_SYNTAX };
    return { ...nothing, end, output: () => [{ at: startedAt, stream: 'stderr', text }] };
  }
  const inside: Inside = { command, environment: Object.entries(environment), files, hostname, shared: {} };
  const first = begin(parsed, inside, { startedAt, interactive, onlyItsEnd: true, mostSteps: MOST_STEPS });
  const written: Output[] = [];
  const end = endOf(first, (each) => written.push(each));
  const until = startedAt + MINUTE_MS;
  // The first pass abandons an endless loop at once; its first minute is simulated only when output or files are requested.
  const isAllThereIs = end !== undefined || (first.machine.exhausted && first.machine.time <= until);
  let seen: Seen | undefined = isAllThereIs ? { written, files: first.machine.files } : undefined;
  const see = (): Seen => {
    if (seen) return seen;
    const running = begin(parsed, inside, { startedAt, interactive, until, mostSteps: MOST_STEPS });
    seen = { written: [...outputOf(running)], files: running.machine.files };
    return seen;
  };
  return {
    ...(end && { end }),
    output: (mostCharacters) => beginningOf(see().written, mostCharacters),
    files: () => Object.fromEntries(see().files),
  };
}

interface Seen {
  readonly written: readonly Output[];
  readonly files: ReadonlyMap<string, string>;
}

function beginningOf(written: readonly Output[], mostCharacters: number): readonly Output[] {
  let characters = 0;
  const past = written.findIndex(({ text }) => {
    characters += text.length;
    return characters >= mostCharacters;
  });
  return past < 0 ? written : written.slice(0, past + 1);
}

function pullProblem(image: string, pull: ReturnType<typeof behaviourOf>['pull']): string | undefined {
  if (pull?.kind === 'missing') return pull.message ?? `the image '${image}' does not exist`;
  if (pull?.kind === 'denied' || pull?.kind === 'needsLogin')
    return `the registry denies access to the image '${image}'`;
  return undefined;
}
