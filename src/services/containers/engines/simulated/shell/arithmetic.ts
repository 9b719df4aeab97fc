import { SyntaxProblem } from './syntax.ts';

const TOKEN = /\s*(?:(\d{1,15})|\$?([A-Za-z_]\w*)|([-+*/%()]))/y;
const DEEPEST = 50;

/** Whole numbers with `+ - * / %` and brackets. Throws `SyntaxProblem`. */
export function calculate(text: string, variable: (name: string) => string): number {
  const trimmed = text.trimEnd();
  let at = 0;
  let token: RegExpExecArray | null = null;
  const advance = (): void => {
    TOKEN.lastIndex = at;
    token = TOKEN.exec(trimmed);
    if (token) at += token[0].length;
    else if (at < trimmed.length) throw new SyntaxProblem('the sum is not understood');
  };
  const operator = (): string | undefined => token?.[3];
  const operand = (depth: number): number => {
    if (depth > DEEPEST) throw new SyntaxProblem('the sum is nested too deeply');
    const sign = operator();
    if (sign === '-' || sign === '+') {
      advance();
      return sign === '-' ? -operand(depth + 1) : operand(depth + 1);
    }
    if (sign === '(') {
      advance();
      const value = sum(depth + 1);
      if (operator() !== ')') throw new SyntaxProblem('a bracket is not closed');
      advance();
      return value;
    }
    const [, digits, name] = token ?? [];
    if (digits === undefined && name === undefined) throw new SyntaxProblem('the sum is not understood');
    advance();
    return digits === undefined ? Number.parseInt(variable(name as string), 10) || 0 : Number(digits);
  };
  const product = (depth: number): number => {
    let value = operand(depth);
    for (let sign = operator(); sign === '*' || sign === '/' || sign === '%'; sign = operator()) {
      advance();
      const right = operand(depth);
      if (right === 0 && sign !== '*') throw new SyntaxProblem('division by zero');
      value = Math.trunc(sign === '*' ? value * right : sign === '/' ? value / right : value % right);
    }
    return value;
  };
  const sum = (depth: number): number => {
    let value = product(depth);
    for (let sign = operator(); sign === '+' || sign === '-'; sign = operator()) {
      advance();
      const right = product(depth);
      value = sign === '+' ? value + right : value - right;
    }
    return value;
  };
  advance();
  const value = sum(0);
  if (at < trimmed.length || token) throw new SyntaxProblem('the sum is not understood');
  return value === 0 ? 0 : value;
}
