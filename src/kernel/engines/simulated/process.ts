import type { Behaviour } from './behaviour.ts';
import type { Inside } from './inside.ts';
import { Forever, Machine, type MachineOptions, type Output } from './shell/machine.ts';
import { parseScript } from './shell/parser.ts';
import { notUnderstood, runScript } from './shell/run.ts';
import { literal, type Node, NoShellProblem, SyntaxProblem } from './shell/syntax.ts';

/** The parsed command of a container, or why it cannot be simulated. */
type Program =
  | { readonly kind: 'script'; readonly script: Node; readonly arguments: readonly string[] }
  | { readonly kind: 'unknown'; readonly reason: SyntaxProblem }
  /** Invalid shell syntax: nothing is run. */
  | { readonly kind: 'wrong'; readonly message: string }
  /** The image's own command, which is unknown. */
  | { readonly kind: 'server' };

const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:sh|bash|ash|dash)$/;
const TAKES_SCRIPT = /^-[a-z]*c$/;
/** Exit code of a shell for a syntax error. */
const WRONG_SYNTAX = 2;

export const isShell = (program: string | undefined): boolean => SHELL.test(program ?? '');

export function programOf(command: readonly string[] | undefined, behaviour: Behaviour): Program {
  if (behaviour.script !== undefined) return { kind: 'script', script: parseScript(behaviour.script), arguments: [] };
  if (!command || command.length === 0) return { kind: 'server' };
  const [program, flag, text, ...rest] = command;
  if (!isShell(program)) return { kind: 'script', script: commandNode(command), arguments: [] };
  // Without a terminal the shell finds the end of its input at once and exits.
  if (flag === undefined) return { kind: 'script', script: { kind: 'list', items: [] }, arguments: [] };
  if (!TAKES_SCRIPT.test(flag) || text === undefined) {
    const reason = new SyntaxProblem(`the script '${flag.slice(0, 100)}' does not exist`);
    return { kind: 'unknown', reason };
  }
  try {
    const script = parseScript(flag.length > 2 ? `set ${flag.slice(0, -1)}; ${text}` : text);
    return { kind: 'script', script, arguments: rest };
  } catch (error) {
    if (error instanceof NoShellProblem) return { kind: 'wrong', message: `${program}: ${error.message}` };
    if (!(error instanceof SyntaxProblem)) throw error;
    return { kind: 'unknown', reason: error };
  }
}

const commandNode = (words: readonly string[]): Node => ({
  kind: 'command',
  assignments: [],
  words: words.map(literal),
  redirects: [],
});

/** A running process: its output, generated on demand, and the state of its machine so far. */
export interface Running {
  readonly machine: Machine;
  /** Throws `Forever`, as `runScript` does. */
  readonly output: Generator<Output, number>;
}

export function begin(
  program: Program,
  inside: Inside,
  options: Omit<MachineOptions, 'environment' | 'files' | 'hostname'>,
): Running {
  const machine = new Machine({
    ...options,
    environment: new Map(inside.environment),
    files: new Map(Object.entries(inside.files)),
    hostname: inside.hostname,
  });
  return { machine, output: execute(program, machine) };
}

function* execute(program: Program, machine: Machine): Generator<Output, number> {
  if (program.kind === 'server') {
    machine.unknown = 'the image';
    throw new Forever();
  }
  if (program.kind === 'unknown') {
    machine.unknown = 'the script';
    yield { at: machine.time, stream: 'stderr', text: notUnderstood(program.reason) };
    throw new Forever();
  }
  if (program.kind === 'wrong') {
    yield { at: machine.time, stream: 'stderr', text: `${program.message}\n` };
    return WRONG_SYNTAX;
  }
  if (program.arguments.length > 0) machine.parameters = program.arguments;
  return yield* runScript(program.script, machine);
}

/** When a process ends and with which exit code; undefined if it runs forever. */
export function endOf(
  { machine, output }: Running,
  written: (output: Output) => void = () => {},
): { at: number; exitCode: number } | undefined {
  try {
    for (;;) {
      const { done, value } = output.next();
      if (done) return Number.isFinite(machine.time) ? { at: machine.time, exitCode: value } : undefined;
      written(value);
    }
  } catch (thrown) {
    if (thrown instanceof Forever) return undefined;
    throw thrown;
  }
}

/** Output of a process within its time limit. */
export function* outputOf({ output }: Running): Generator<Output, void> {
  try {
    for (;;) {
      const { done, value } = output.next();
      if (done) return;
      yield value;
    }
  } catch (thrown) {
    if (!(thrown instanceof Forever)) throw thrown;
  }
}
