import type { Machine } from './machine.ts';

const NUMBERS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '-eq': (a, b) => a === b,
  '-ne': (a, b) => a !== b,
  '-lt': (a, b) => a < b,
  '-le': (a, b) => a <= b,
  '-gt': (a, b) => a > b,
  '-ge': (a, b) => a >= b,
};

const TEXTS: Readonly<Record<string, (a: string, b: string) => boolean>> = {
  '=': (a, b) => a === b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
};

const NUMBER = /^\s*[-+]?\d+\s*$/;

/** Exit status of `test` and `[`: 0 true, 1 false, 2 invalid. */
export function test(args: readonly string[], machine: Machine): number {
  const verdict = judge(args, machine);
  return verdict === undefined ? 2 : verdict ? 0 : 1;
}

function judge(args: readonly string[], machine: Machine): boolean | undefined {
  const [first = '', second = '', third = ''] = args;
  if (args.length <= 1) return first !== '';
  if (args.length === 3) {
    const compared = compare(first, second, third);
    if (compared !== 'no operator') return compared;
  }
  // Lowest precedence first.
  for (const word of ['-o', '-a']) {
    const at = args.indexOf(word, 1);
    if (at < 0 || at === args.length - 1) continue;
    const [left, right] = [judge(args.slice(0, at), machine), judge(args.slice(at + 1), machine)];
    if (left === undefined || right === undefined) return undefined;
    return word === '-o' ? left || right : left && right;
  }
  if (first === '!') {
    const verdict = judge(args.slice(1), machine);
    return verdict === undefined ? undefined : !verdict;
  }
  return args.length === 2 ? about(first, second, machine) : undefined;
}

function compare(first: string, operator: string, second: string): boolean | undefined | 'no operator' {
  if (Object.hasOwn(TEXTS, operator)) return TEXTS[operator]?.(first, second);
  if (!Object.hasOwn(NUMBERS, operator)) return 'no operator';
  return NUMBER.test(first) && NUMBER.test(second) ? NUMBERS[operator]?.(Number(first), Number(second)) : undefined;
}

function about(operator: string, operand: string, machine: Machine): boolean | undefined {
  if (operator === '-n') return operand !== '';
  if (operator === '-z') return operand === '';
  const path = machine.path(operand);
  if (operator === '-d') return machine.isDirectory(path);
  if (operator === '-f') return machine.files.has(path);
  if (operator === '-s') return (machine.files.get(path) ?? '') !== '' || machine.isDirectory(path);
  if (/^-[erwx]$/.test(operator)) return operand !== '' && (machine.files.has(path) || machine.isDirectory(path));
  return undefined;
}
