import type { Machine } from './machine.ts';

const NUMBERS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '-eq': (a, b) => a === b,
  '-ne': (a, b) => a !== b,
  '-lt': (a, b) => a < b,
  '-le': (a, b) => a <= b,
  '-gt': (a, b) => a > b,
  '-ge': (a, b) => a >= b,
};

/** The status of `test` and `[`: 0 true, 1 false, 2 not understood. */
export function test(args: readonly string[], machine: Machine): number {
  if (args[0] === '!') {
    const status = test(args.slice(1), machine);
    return status === 2 ? 2 : 1 - status;
  }
  const verdict = judge(args, machine);
  return verdict === undefined ? 2 : verdict ? 0 : 1;
}

function judge(args: readonly string[], machine: Machine): boolean | undefined {
  const [first = '', second = '', third = ''] = args;
  if (args.length <= 1) return first !== '';
  if (args.length === 2) {
    if (first === '-n') return second !== '';
    if (first === '-z') return second === '';
    const path = machine.path(second);
    if (first === '-s') return (machine.files.get(path) ?? '') !== '';
    if (first === '-d') return [...machine.files.keys()].some((name) => name.startsWith(`${path}/`));
    if (/^-[efrwx]$/.test(first)) return machine.files.has(path);
    return undefined;
  }
  if (args.length !== 3) return undefined;
  if (second === '=' || second === '==') return first === third;
  if (second === '!=') return first !== third;
  const [a, b] = [Number(first), Number(third)];
  return Number.isInteger(a) && Number.isInteger(b) ? NUMBERS[second]?.(a, b) : undefined;
}
