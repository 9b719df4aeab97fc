import { behaviourOf } from './behaviour.ts';
import type { Inside } from './inside.ts';
import { begin, endOf, outputOf, programOf } from './process.ts';
import type { Output } from './shell/machine.ts';

/** A program that is simulated by itself, without a container around it. */
export interface SimulatedProgram {
  /** Its name may say how it behaves, as for containers. */
  readonly image?: string;
  /** Which run of the image this is, from 1. */
  readonly run?: number;
  readonly command: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** By path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly hostname: string;
  readonly startedAt: number;
  /** As somebody would type it: what the shell does not know is an error, and no server that runs for ever. */
  readonly interactive?: boolean;
}

export interface SimulatedRun {
  /** Absent: it runs for ever. */
  readonly end?: { readonly at: number; readonly exitCode: number };
  /** What it writes until its end, or in the first minute of one without an end; no more than this many characters. */
  output(mostCharacters: number): readonly Output[];
  /** The files at that time, by path. */
  files(): Readonly<Record<string, string>>;
  /** Why it could not even begin. */
  readonly refused?: string;
}

const MINUTE_MS = 60_000;
const BAD_SYNTAX = 2;

/** What a program does, known from the start: when it ends, how, and what it writes on the way. */
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
  const end = endOf(begin(parsed, inside, { startedAt, interactive, onlyItsEnd: true }));
  const until = end?.at ?? startedAt + MINUTE_MS;
  return {
    ...(end && { end }),
    output(mostCharacters) {
      const written: Output[] = [];
      let characters = 0;
      for (const each of outputOf(begin(parsed, inside, { startedAt, interactive, until }))) {
        written.push(each);
        characters += each.text.length;
        if (characters >= mostCharacters) break;
      }
      return written;
    },
    files() {
      const running = begin(parsed, inside, { startedAt, interactive, until });
      for (const _written of outputOf(running));
      return Object.fromEntries(running.machine.files);
    },
  };
}

function pullProblem(image: string, pull: ReturnType<typeof behaviourOf>['pull']): string | undefined {
  if (pull?.kind === 'missing') return pull.message ?? `there is no image '${image}'`;
  if (pull?.kind === 'denied' || pull?.kind === 'needsLogin')
    return `the registry refuses to give out the image '${image}'`;
  return undefined;
}
