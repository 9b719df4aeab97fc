import { calculate } from './arithmetic.ts';
import { LONGEST_VALUE, type Machine, type Output } from './machine.ts';
import { type Node, RunProblem, type Word, type WordPart } from './syntax.ts';

/** Memory cost of a word, in characters. */
const COST_OF_A_WORD = 16;

/** Runs a script and returns its standard output. */
export type Substitute = (script: Node, machine: Machine) => Generator<Output, string>;

/** Expands words as a shell does; unquoted values are split at blanks. File name patterns are not expanded. */
export function* expandWords(
  words: readonly Word[],
  machine: Machine,
  substitute: Substitute,
): Generator<Output, string[]> {
  const values: string[] = [];
  for (const word of words) {
    let current: string | undefined;
    for (const part of word) {
      if (part.kind === 'variable' && part.name === '@' && part.quoted) {
        const [first, ...others] = machine.parameters.slice(1);
        for (const each of machine.parameters) machine.spend(COST_OF_A_WORD + each.length);
        if (first !== undefined) current = (current ?? '') + first;
        for (const other of others) {
          values.push(current as string);
          current = other;
        }
        continue;
      }
      const text = yield* partValue(part, machine, substitute);
      machine.spend(text.length);
      if (part.quoted || part.kind === 'text') {
        current = (current ?? '') + text;
        continue;
      }
      const pieces = text.split(/[ \t\n]+/);
      machine.spend(COST_OF_A_WORD * pieces.length);
      for (const [i, piece] of pieces.entries()) {
        if (i > 0 && current !== undefined) {
          values.push(current);
          current = undefined;
        }
        if (piece !== '') current = (current ?? '') + piece;
      }
    }
    if (current !== undefined) values.push(current);
  }
  return values;
}

/** Expands one word without splitting: the value of an assignment, or a file name. */
export function* expandWord(word: Word, machine: Machine, substitute: Substitute): Generator<Output, string> {
  let value = '';
  for (const part of word) {
    const text = yield* partValue(part, machine, substitute);
    machine.spend(text.length);
    value += text;
  }
  return value.slice(0, LONGEST_VALUE);
}

function* partValue(part: WordPart, machine: Machine, substitute: Substitute): Generator<Output, string> {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'variable': {
      const value = variable(part.name, machine);
      const { otherwise } = part;
      if (otherwise) {
        const isMissing = value === undefined || (value === '' && otherwise.alsoForEmpty);
        return isMissing ? otherwise.text : value;
      }
      if (value === undefined && machine.stopsOnUnset) throw new RunProblem(`${part.name}: parameter not set`);
      return value ?? '';
    }
    case 'substitution':
      return yield* substitute(part.script, machine);
    case 'arithmetic':
      return String(calculate(part.text, (name) => variable(name, machine) ?? ''));
  }
}

function variable(name: string, machine: Machine): string | undefined {
  if (name === '?') return String(machine.status);
  if (name === '$') return '1';
  if (name === '#') return String(machine.parameters.length - 1);
  if (name === '@' || name === '*') return machine.parameters.slice(1).join(' ');
  if (/^\d$/.test(name)) return machine.parameters[Number(name)];
  return machine.variables.get(name);
}
