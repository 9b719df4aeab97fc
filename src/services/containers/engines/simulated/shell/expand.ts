import { calculate } from './arithmetic.ts';
import { LONGEST_VALUE, type Machine, type Output } from './machine.ts';
import type { Node, Word, WordPart } from './syntax.ts';

/** Runs a script and gives what it writes to its standard output. */
export type Substitute = (script: Node, machine: Machine) => Generator<Output, string>;

/** The values of words, unquoted ones split at blanks, as a shell does it. File name patterns stay as they are. */
export function* expandWords(
  words: readonly Word[],
  machine: Machine,
  substitute: Substitute,
): Generator<Output, string[]> {
  const values: string[] = [];
  for (const word of words) {
    let current: string | undefined;
    for (const part of word) {
      const text = yield* partValue(part, machine, substitute);
      machine.spend(text.length);
      if (part.quoted || part.kind === 'text') {
        current = (current ?? '') + text;
        continue;
      }
      const pieces = text.split(/[ \t\n]+/);
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

/** The value of one word that is never split: of an assignment, or the name of a file. */
export function* expandWord(word: Word, machine: Machine, substitute: Substitute): Generator<Output, string> {
  let value = '';
  for (const part of word) value += yield* partValue(part, machine, substitute);
  machine.spend(value.length);
  return value.slice(0, LONGEST_VALUE);
}

function* partValue(part: WordPart, machine: Machine, substitute: Substitute): Generator<Output, string> {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'variable': {
      const value = variable(part.name, machine);
      if (value !== undefined && value !== '') return value;
      return part.fallback ? yield* expandWord(part.fallback, machine, substitute) : (value ?? '');
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
  if (name === '#') return '0';
  return machine.variables.get(name);
}
