import { COMMANDS } from './commands.ts';
import { isEndless, isSteady, skipRounds } from './endless.ts';
import { expandWord, expandWords } from './expand.ts';
import { Exit, Forever, LeaveLoop, type Machine, type Output } from './machine.ts';
import { parseScript } from './parser.ts';
import { emit, OUTSIDE, type Streams, type Target } from './streams.ts';
import { type Node, NoShellProblem, type Redirect, RunProblem, SyntaxProblem } from './syntax.ts';

const NOT_FOUND = 127;
const BAD_SYNTAX = 2;
const RUNS_A_COMMAND = new Set(['exec', 'command', 'nohup', 'eval']);
/** Time to copy a variable, in characters. */
const COST_OF_A_VARIABLE = 16;
const DEEPEST_EVAL = 20;
/** Minimum duration of a round of an endless loop. */
const SHORTEST_ROUND_MS = 1;

/** The log line for a script with constructs that this shell does not support. */
export const notUnderstood = ({ message }: SyntaxProblem): string =>
  `cloudjar: the command is simulated and runs for ever: ${message}\n`;

/**
 * Runs a script. Yields output with its times, on demand; returns the exit code, and leaves the time of the end in `machine.time`. Throws
 * `Forever` if no more output follows and the script does not end.
 */
export function* runScript(script: Node, machine: Machine): Generator<Output, number> {
  try {
    return yield* run(script, machine, OUTSIDE);
  } catch (thrown) {
    if (thrown instanceof Exit) {
      machine.exited = true;
      return thrown.code;
    }
    if (thrown instanceof LeaveLoop) return machine.status;
    if (thrown instanceof SyntaxProblem && !(thrown instanceof NoShellProblem) && !machine.interactive) {
      machine.unknown = 'the script';
      yield* emit(notUnderstood(thrown), OUTSIDE.stderr, machine);
      throw new Forever();
    }
    if (thrown instanceof SyntaxProblem || thrown instanceof RunProblem) {
      yield* emit(`sh: ${thrown.message}\n`, OUTSIDE.stderr, machine);
      return BAD_SYNTAX;
    }
    throw thrown;
  }
}

function* run(node: Node, machine: Machine, streams: Streams): Generator<Output, number> {
  machine.step();
  switch (node.kind) {
    case 'command':
      machine.status = yield* runCommand(node, machine, streams);
      stopOnError(machine);
      break;
    case 'list':
      if (node.items.length === 0) machine.status = 0;
      for (const item of node.items) yield* run(item, machine, streams);
      break;
    case 'chain': {
      const { length } = node.rest;
      let status = yield* ask(node.first, machine, streams);
      for (const [i, { op, node: next }] of node.rest.entries()) {
        if ((op === '&&') !== (status === 0)) continue;
        status = yield* (i === length - 1 ? run : ask)(next, machine, streams);
      }
      machine.status = status;
      break;
    }
    case 'not':
      machine.status = (yield* ask(node.body, machine, streams)) === 0 ? 1 : 0;
      break;
    case 'if': {
      const branch = (yield* ask(node.condition, machine, streams)) === 0 ? node.then : node.otherwise;
      machine.status = branch ? yield* run(branch, machine, streams) : 0;
      break;
    }
    case 'for':
      machine.status = yield* runFor(node, machine, streams);
      break;
    case 'loop':
      machine.status = yield* runLoop(node, machine, streams);
      break;
    case 'subshell':
      machine.status = yield* runSubshell(node.body, machine, streams);
      stopOnError(machine);
      break;
    case 'redirected':
      machine.status = yield* run(node.body, machine, yield* redirected(node.redirects, machine, streams));
      break;
  }
  return machine.status;
}

/** Runs a command whose status is tested: `set -e` applies neither to it nor to commands within it. */
function* ask(node: Node, machine: Machine, streams: Streams): Generator<Output, number> {
  machine.asked++;
  try {
    return yield* run(node, machine, streams);
  } finally {
    machine.asked--;
  }
}

function stopOnError({ status, stopsOnError, asked }: Machine): void {
  if (status !== 0 && stopsOnError && asked === 0) throw new Exit(status);
}

function* runCommand(
  node: Extract<Node, { kind: 'command' }>,
  machine: Machine,
  outer: Streams,
): Generator<Output, number> {
  machine.substitutionStatus = 0;
  const words = yield* expandWords(node.words, machine, substitute);
  const restore = words.length === 0 ? undefined : remember(node, machine);
  for (const { name, value } of node.assignments) {
    machine.set(name, yield* expandWord(value, machine, substitute));
    if (restore) machine.exported.add(name);
  }
  const streams = yield* redirected(node.redirects, machine, outer);
  if (words.length === 0) return machine.substitutionStatus;
  try {
    return yield* runWords(words, machine, streams);
  } finally {
    restore?.();
  }
}

/** Assignments before a command apply only to that command; the returned function undoes them. */
function remember({ assignments }: Extract<Node, { kind: 'command' }>, machine: Machine): () => void {
  const before = assignments.map(({ name }) => {
    return { name, value: machine.variables.get(name), exported: machine.exported.has(name) };
  });
  return () => {
    for (const { name, value, exported } of before) {
      if (value === undefined) machine.variables.delete(name);
      else machine.variables.set(name, value);
      if (!exported) machine.exported.delete(name);
    }
  };
}

function* runWords(given: readonly string[], machine: Machine, streams: Streams): Generator<Output, number> {
  const replaces = given[0] === 'exec';
  let words = given;
  while (RUNS_A_COMMAND.has(words[0] ?? '')) words = words.slice(1);
  if (given[0] === 'command' && words[0] === '-v') return yield* find(words[1] ?? '', machine, streams);
  if (given[0] === 'eval') return yield* evaluate(given.slice(1).join(' '), machine, streams);
  const [name, ...args] = words;
  if (name === undefined) return 0;
  const base = name.slice(name.lastIndexOf('/') + 1);
  const command = Object.hasOwn(COMMANDS, base) ? COMMANDS[base] : undefined;
  if (!command) {
    const shown = name.slice(0, 100);
    if (machine.interactive) {
      yield* emit(`sh: ${shown}: not found\n`, streams.stderr, machine);
      return NOT_FOUND;
    }
    machine.unknown = shown;
    yield* emit(`cloudjar: '${shown}' is simulated: it runs for ever and does nothing\n`, OUTSIDE.stderr, machine);
    throw new Forever();
  }
  const { status, stdout = '', stderr = '' } = command(args, machine);
  yield* emit(stdout, streams.stdout, machine);
  yield* emit(stderr, streams.stderr, machine);
  if (replaces) throw new Exit(status);
  return status;
}

function* evaluate(text: string, machine: Machine, streams: Streams): Generator<Output, number> {
  if (machine.evals >= DEEPEST_EVAL) throw new SyntaxProblem('the script is nested too deeply');
  machine.evals++;
  try {
    return yield* run(parseScript(text), machine, streams);
  } finally {
    machine.evals--;
  }
}

/** `command -v` */
function* find(name: string, machine: Machine, streams: Streams): Generator<Output, number> {
  if (!Object.hasOwn(COMMANDS, name)) return NOT_FOUND;
  yield* emit(`${name}\n`, streams.stdout, machine);
  return 0;
}

function* runFor(node: Extract<Node, { kind: 'for' }>, machine: Machine, streams: Streams): Generator<Output, number> {
  let status = 0;
  for (const value of yield* expandWords(node.words, machine, substitute)) {
    machine.set(node.name, value);
    const round = yield* runRound(node.body, machine, streams);
    status = round.status;
    if (round.left) break;
  }
  return status;
}

function* runLoop(
  node: Extract<Node, { kind: 'loop' }>,
  machine: Machine,
  streams: Streams,
): Generator<Output, number> {
  const endless = !machine.stopsOnError && isEndless(node);
  const steady = endless && isSteady(node.body);
  if ((endless && machine.onlyItsEnd) || (steady && machine.wantedLines === 0)) {
    // One round must run, because it may reach an unknown command.
    yield* run(node.body, machine, streams);
    throw new Forever();
  }
  let status = 0;
  for (;;) {
    const { time, steps, characters, lines } = machine;
    if (((yield* ask(node.condition, machine, streams)) === 0) === node.until) break;
    const round = yield* runRound(node.body, machine, streams);
    status = round.status;
    if (round.left) break;
    if (!endless) continue;
    if (steady && machine.characters === characters) throw new Forever();
    if (machine.time === time) machine.pass(SHORTEST_ROUND_MS);
    machine.anotherRound(steady);
    const taken = {
      ms: machine.time - time,
      steps: machine.steps - steps,
      characters: machine.characters - characters,
      lines: machine.lines - lines,
    };
    if (steady) skipRounds(machine, taken);
  }
  return status;
}

function* runRound(
  body: Node,
  machine: Machine,
  streams: Streams,
): Generator<Output, { status: number; left: boolean }> {
  machine.loops++;
  try {
    return { status: yield* run(body, machine, streams), left: false };
  } catch (thrown) {
    if (!(thrown instanceof LeaveLoop)) throw thrown;
    if (thrown.loops > 1) throw new LeaveLoop(thrown.isContinue, thrown.loops - 1);
    return { status: 0, left: !thrown.isContinue };
  } finally {
    machine.loops--;
  }
}

function* runSubshell(body: Node, machine: Machine, streams: Streams): Generator<Output, number> {
  machine.spend(COST_OF_A_VARIABLE * machine.variables.size);
  const variables = new Map(machine.variables);
  const exported = new Set(machine.exported);
  const { stopsOnError, stopsOnUnset, directory, parameters, asked, loops } = machine;
  try {
    return yield* run(body, machine, streams);
  } catch (thrown) {
    if (thrown instanceof Exit) return thrown.code;
    if (thrown instanceof LeaveLoop) return 0;
    throw thrown;
  } finally {
    machine.variables.clear();
    for (const [name, value] of variables) machine.variables.set(name, value);
    machine.exported.clear();
    for (const name of exported) machine.exported.add(name);
    Object.assign(machine, { stopsOnError, stopsOnUnset, directory, parameters, asked, loops });
  }
}

function* substitute(script: Node, machine: Machine): Generator<Output, string> {
  const captured = { text: '' };
  const { asked, status } = machine;
  machine.asked = 0;
  machine.substitutionStatus = yield* runSubshell(script, machine, {
    stdout: { kind: 'capture', captured },
    stderr: OUTSIDE.stderr,
  });
  Object.assign(machine, { asked, status });
  return captured.text.replace(/\n+$/, '');
}

function* redirected(redirects: readonly Redirect[], machine: Machine, outer: Streams): Generator<Output, Streams> {
  let { stdout, stderr } = outer;
  for (const { from, to } of redirects) {
    let target: Target;
    if (to.kind === 'stream') target = to.stream === 'stdout' ? stdout : stderr;
    else {
      const path = machine.path(yield* expandWord(to.name, machine, substitute));
      target = path === '/dev/stdout' ? stdout : path === '/dev/stderr' ? stderr : { kind: 'file', path };
      if (target.kind === 'file') machine.write(path, '', to.append);
    }
    if (from !== 'stderr') stdout = target;
    if (from !== 'stdout') stderr = target;
  }
  return { stdout, stderr };
}
