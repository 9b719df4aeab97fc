import { RunProblem, SyntaxProblem } from './syntax.ts';

const TOKEN = /\s*(?:(0[xX][\da-fA-F]+|\d+)|\$?([A-Za-z_]\w*)|(\|\||&&|[=!<>]=|<<|>>|[-+*/%()<>&|^!~?:]))/y;
const DEEPEST = 50;

type Operation = (left: bigint, right: bigint) => bigint;
const truth = (value: boolean): bigint => (value ? 1n : 0n);
const divided: Operation = (left, right) => {
  if (right === 0n) throw new RunProblem('division by zero');
  return left / right;
};
/** Only the low six bits of the shift count are used, as processors do. */
const distance = (value: bigint): bigint => BigInt.asUintN(6, value);

/** Operators from lowest to highest precedence. */
const LEVELS: readonly Readonly<Record<string, Operation>>[] = [
  { '||': (left, right) => truth(left !== 0n || right !== 0n) },
  { '&&': (left, right) => truth(left !== 0n && right !== 0n) },
  { '|': (left, right) => left | right },
  { '^': (left, right) => left ^ right },
  { '&': (left, right) => left & right },
  { '==': (left, right) => truth(left === right), '!=': (left, right) => truth(left !== right) },
  {
    '<': (left, right) => truth(left < right),
    '<=': (left, right) => truth(left <= right),
    '>': (left, right) => truth(left > right),
    '>=': (left, right) => truth(left >= right),
  },
  { '<<': (left, right) => left << distance(right), '>>': (left, right) => left >> distance(right) },
  { '+': (left, right) => left + right, '-': (left, right) => left - right },
  {
    '*': (left, right) => left * right,
    '/': divided,
    '%': (left, right) => left - divided(left, right) * right,
  },
];

const UNARY: Readonly<Record<string, (value: bigint) => bigint>> = {
  '-': (value) => BigInt.asIntN(64, -value),
  '+': (value) => value,
  '!': (value) => truth(value === 0n),
  '~': (value) => ~value,
};

/** Evaluates a 64-bit integer expression with the operators of C except assignments. Throws `SyntaxProblem` or `RunProblem`. */
export function calculate(text: string, variable: (name: string) => string): bigint {
  const trimmed = text.trimEnd();
  if (trimmed === '') return 0n;
  let at = 0;
  let token: RegExpExecArray | null = null;
  const advance = (): void => {
    TOKEN.lastIndex = at;
    token = TOKEN.exec(trimmed);
    if (token) at += token[0].length;
    else if (at < trimmed.length) throw new SyntaxProblem('the arithmetic expression is not valid');
  };
  const operator = (): string => token?.[3] ?? '';
  const expect = (wanted: string): void => {
    if (operator() !== wanted) throw new SyntaxProblem('the arithmetic expression is not valid');
    advance();
  };
  const operand = (depth: number): bigint => {
    if (depth > DEEPEST) throw new SyntaxProblem('the arithmetic expression is nested too deeply');
    const sign = operator();
    if (Object.hasOwn(UNARY, sign)) {
      advance();
      return (UNARY[sign] as (value: bigint) => bigint)(operand(depth + 1));
    }
    if (sign === '(') {
      advance();
      const value = choice(depth + 1);
      expect(')');
      return value;
    }
    const [, digits, name] = token ?? [];
    if (digits === undefined && name === undefined) throw new SyntaxProblem('the arithmetic expression is not valid');
    advance();
    return numberOf(digits ?? variable(name as string));
  };
  const binary = (level: number, depth: number): bigint => {
    const operations = LEVELS[level];
    if (!operations) return operand(depth);
    let value = binary(level + 1, depth);
    while (Object.hasOwn(operations, operator())) {
      const operation = operations[operator()] as Operation;
      advance();
      value = BigInt.asIntN(64, operation(value, binary(level + 1, depth)));
    }
    return value;
  };
  const choice = (depth: number): bigint => {
    const condition = binary(0, depth);
    if (operator() !== '?') return condition;
    advance();
    const yes = choice(depth + 1);
    expect(':');
    const no = choice(depth + 1);
    return condition !== 0n ? yes : no;
  };
  advance();
  const value = choice(0);
  if (at < trimmed.length || token) throw new SyntaxProblem('the arithmetic expression is not valid');
  return value;
}

/** Octal with a leading zero, hexadecimal with `0x`. Text that is not a number counts as 0. */
function numberOf(text: string): bigint {
  const found = /^\s*(-?)(0[xX][\da-fA-F]+|\d+)\s*$/.exec(text);
  if (!found) return 0n;
  const digits = (found[2] as string).slice(0, 30);
  const octal = /^0[0-7]+$/.test(digits);
  const value = BigInt(octal ? `0o${digits.slice(1)}` : digits);
  return BigInt.asIntN(64, found[1] === '-' ? -value : value);
}
