import { SECOND_MS } from '../../../../kernel/time/index.ts';
import type { Json } from '../../../../kernel/values/index.ts';
import type { CommandResult } from '../collections.ts';
import type { CommandOutcome, CommandRequest } from './run-command.ts';

/** Statements that can be simulated without an interpreter: output of literals, imports, pauses, and raised errors. */

const LITERAL =
  /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(-?\d+(?:\.\d+)?)|(True|False|None|true|false|TRUE|FALSE|NULL|null))/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' };

interface Literal {
  readonly text: string;
  readonly value: Json;
}

/** Literals separated by commas. Returns undefined if there is anything else. */
function literals(source: string): readonly Literal[] | undefined {
  const found: Literal[] = [];
  let rest = source.trim();
  while (rest !== '') {
    const match = LITERAL.exec(rest);
    if (!match) return undefined;
    const [whole, double, single, number, word] = match;
    const quoted = double ?? single;
    if (quoted !== undefined) {
      const text = quoted.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter);
      found.push({ text, value: text });
    } else if (number !== undefined) found.push({ text: number, value: Number(number) });
    else found.push({ text: word as string, value: constantOf(word as string) });
    rest = rest.slice(whole.length).trimStart();
    if (rest === '') break;
    if (!rest.startsWith(',')) return undefined;
    rest = rest.slice(1).trimStart();
  }
  return found;
}

const constantOf = (word: string): Json => (/^(?:None|NULL|null)$/.test(word) ? null : /^t/i.test(word));

const PRINTS: Readonly<Record<string, RegExp>> = {
  python: /^print\s*\((.*)\)\s*;?$/s,
  scala: /^println?\s*\((.*)\)\s*;?$/s,
  r: /^(?:print|cat)\s*\((.*)\)\s*;?$/s,
};
const IGNORED: Readonly<Record<string, RegExp>> = {
  python: /^(?:#.*|import [\w.]+(?: as \w+)?|from [\w.]+ import [\w, *]+|pass)?$/,
  scala: /^(?:\/\/.*|import [\w.{}, _]+)?$/,
  r: /^(?:#.*|library\([\w."']+\))?$/,
};
const PAUSE = /^(?:time\.sleep|Thread\.sleep|Sys\.sleep)\s*\(\s*(\d+(?:\.\d+)?)\s*\)\s*;?$/;
const RAISE = /^(?:raise|throw new)\s+([A-Z]\w*)\s*\((.*)\)\s*;?$/s;

export function runLiteral({ language, command, startedAt }: CommandRequest): CommandOutcome {
  let output = '';
  let endsAt = startedAt;
  for (const line of command.split('\n').map((each) => each.trim())) {
    if (IGNORED[language]?.test(line)) continue;
    const pause = PAUSE.exec(line);
    if (pause) {
      endsAt += Number(pause[1]) * (language === 'scala' ? 1 : SECOND_MS);
      continue;
    }
    const raised = RAISE.exec(line);
    if (raised) return { result: error(raised[1] as string, literals(raised[2] as string)?.[0]?.text ?? ''), endsAt };
    const printed = literals(PRINTS[language]?.exec(line)?.[1] ?? '?');
    if (!printed) return { result: notSimulated(language, line), endsAt };
    output += `${printed.map(({ text }) => text).join(' ')}\n`;
  }
  return { result: { resultType: 'text', data: output.replace(/\n$/, '') }, endsAt };
}

export const error = (name: string, message: string): CommandResult => ({
  resultType: 'error',
  summary: `<span class="ansi-red-fg">${name}</span>: ${message}`,
  cause: `${name}: ${message}`,
});

const COMMENTS: Readonly<Record<string, string>> = { scala: '//', sql: '--' };

export const notSimulated = (language: string, statement: string): CommandResult =>
  error(
    'NotSimulatedError',
    `clusters are simulated, and this ${language} statement cannot be run without an image: ${statement.slice(0, 200)}. A line "${COMMENTS[language] ?? '#'} cloudjar: echo done" in the command says what the simulated shell runs in its place.`,
  );
