import type { ArithmeticOperator, ComparisonOperator, In, Lambda, Literal, Node, Path } from './ast.ts';
import { isKnownFunction, refusedFunction } from './calls.ts';
import { scanBare, scanPrefixed } from './literals.ts';
import { Scanner } from './scanner.ts';

const EQUALITY: ReadonlySet<string> = new Set(['eq', 'ne']);
const RELATION: ReadonlySet<string> = new Set(['gt', 'ge', 'lt', 'le']);
const ADDITION: ReadonlySet<string> = new Set(['add', 'sub']);
const MULTIPLICATION: ReadonlySet<string> = new Set(['mul', 'div', 'divby', 'mod']);

const LONGEST_WORD = 5;
const OPENING = /[ \t\r\n]*\(/y;

export function parseFilter(source: string, option = '$filter'): Node {
  const scanner = new Scanner(option, source);
  const node = parseExpression(scanner);
  scanner.requireEnd();
  return node;
}

/** Parses an expression at the scanner's position. Precedence from low to high: `or`, `and`, `eq`, `gt`, `add`, `mul`, `not`, `in`. */
export function parseExpression(scanner: Scanner): Node {
  return junction(scanner, 'or', conjunction);
}

const conjunction = (scanner: Scanner): Node => junction(scanner, 'and', equality);
const equality = (scanner: Scanner): Node => chain(scanner, EQUALITY, relation);
const relation = (scanner: Scanner): Node => chain(scanner, RELATION, sum);
const sum = (scanner: Scanner): Node => chain(scanner, ADDITION, product);
const product = (scanner: Scanner): Node => chain(scanner, MULTIPLICATION, unary);

type Reader = (scanner: Scanner) => Node;

function junction(scanner: Scanner, operator: 'and' | 'or', read: Reader): Node {
  const first = read(scanner);
  let args: Node[] | undefined;
  while (takeWord(scanner, operator)) {
    args ??= [first];
    args.push(read(scanner));
  }
  return args ? { kind: 'junction', operator, args, at: scanner.count(first.at) } : first;
}

function chain(scanner: Scanner, operators: ReadonlySet<string>, read: Reader): Node {
  let left = read(scanner);
  for (let length = 0; ; length++) {
    const at = behindSpace(scanner);
    const operator = scanner.peekWord();
    if (operator === undefined || !operators.has(operator)) return left;
    if (length > 0) scanner.countChain();
    scanner.at += operator.length;
    const right = read(scanner);
    left = {
      kind: 'binary',
      operator: operator as ComparisonOperator | ArithmeticOperator,
      left,
      right,
      at: scanner.count(at),
    };
  }
}

function unary(scanner: Scanner): Node {
  const at = behindSpace(scanner);
  if (scanner.char() === '-') {
    const literal = scanBare(scanner);
    if (literal) return suffixed(scanner, counted(scanner, literal));
    scanner.at++;
    const operand = scanner.nested(() => unary(scanner));
    return { kind: 'unary', operator: 'negate', operand, at: scanner.count(at) };
  }
  if (takeWord(scanner, 'not')) {
    const operand = scanner.nested(() => unary(scanner));
    return { kind: 'unary', operator: 'not', operand, at: scanner.count(at) };
  }
  return suffixed(scanner, primary(scanner));
}

/** Of all operators, only a path binds more tightly than `in` and `has`. */
function suffixed(scanner: Scanner, operand: Node): Node {
  let left = operand;
  for (let length = 0; ; length++) {
    const at = behindSpace(scanner);
    if (takeWord(scanner, 'in')) left = list(scanner, left, at);
    else if (takeWord(scanner, 'has')) {
      left = { kind: 'binary', operator: 'has', left, right: primary(scanner), at: scanner.count(at) };
    } else return left;
    if (length > 0) scanner.countChain();
  }
}

function list(scanner: Scanner, operand: Node, at: number): In {
  scanner.require('(', "'(' and a list of values");
  const values: Literal[] = [];
  if (!scanner.take(')')) {
    do {
      const place = behindSpace(scanner);
      const value = primary(scanner);
      if (value.kind !== 'literal') throw scanner.error('Syntax', 'expected a value', place);
      scanner.countValue(place);
      values.push(value);
    } while (scanner.take(','));
    scanner.require(')', "',' or ')'");
  }
  return { kind: 'in', operand, values, at: scanner.count(at) };
}

function primary(scanner: Scanner): Node {
  const at = behindSpace(scanner);
  const next = scanner.char();
  if (next === '(') {
    scanner.at++;
    const inner = scanner.nested(() => parseExpression(scanner));
    scanner.require(')', "an operator or ')'");
    return inner;
  }
  if (next === "'") return { kind: 'literal', type: 'string', value: scanner.string(), at: scanner.count(at) };
  const bare = scanBare(scanner);
  if (bare) return counted(scanner, bare);
  return named(scanner, scanner.name('a value, a name or a function'), scanner.count(at));
}

const counted = (scanner: Scanner, literal: Literal): Literal => {
  scanner.count(literal.at);
  return literal;
};

/** Parses a token that begins with a name: a keyword literal, a call, a prefixed literal, or a path. */
function named(scanner: Scanner, name: string, at: number): Node {
  if (name.startsWith('@')) throw scanner.error('NotSupported', 'names of parameters are not supported', at);
  const first = dotted(scanner, name);
  if (scanner.char() === "'") return scanPrefixed(scanner, first, at);
  if (scanner.char() !== '/') {
    const word = wordLiteral(first, at);
    if (word) return word;
  }
  if (scanner.char() === '(') return call(scanner, first.toLowerCase(), at);
  // Spaces are allowed before the parenthesis of a function, but `name in (…)` is not a call.
  if (scanner.char() === ' ' && isKnownFunction(first.toLowerCase()) && scanner.peek(OPENING) !== undefined)
    return call(scanner, first.toLowerCase(), at);
  return path(scanner, first, at);
}

/** Reads a dotted name such as `Vendor.Color`. */
function dotted(scanner: Scanner, name: string): string {
  let full = name;
  while (scanner.char() === '.') {
    scanner.at++;
    full += `.${scanner.name("a name after '.'")}`;
  }
  return full;
}

function wordLiteral(word: string, at: number): Literal | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  switch (word.toLowerCase()) {
    case 'null':
      return { kind: 'literal', type: 'null', value: null, at };
    case 'true':
    case 'false':
      return { kind: 'literal', type: 'boolean', value: word.toLowerCase() === 'true', at };
    case 'nan':
      return { kind: 'literal', type: 'decimal', value: Number.NaN, text: 'NaN', at };
    default:
      return undefined;
  }
}

function call(scanner: Scanner, name: string, at: number): Node {
  const reason = refusedFunction(name);
  if (reason !== undefined) throw scanner.error('NotSupported', reason, at);
  if (!isKnownFunction(name)) throw scanner.error('UnknownFunction', `there is no function '${name.slice(0, 60)}'`, at);
  scanner.require('(');
  const args: Node[] = [];
  scanner.nested(() => {
    if (scanner.take(')')) return;
    do args.push(parseExpression(scanner));
    while (scanner.take(','));
    scanner.require(')', "',' or ')'");
  });
  return { kind: 'call', name, args, at };
}

function path(scanner: Scanner, first: string, at: number): Path | Lambda {
  const segments = [first];
  while (scanner.char() === '/') {
    scanner.at++;
    const place = scanner.at;
    const segment = dotted(scanner, scanner.name("a name after '/'"));
    const word = segment.toLowerCase();
    if (scanner.char() !== '(') {
      scanner.count(place);
      segments.push(segment);
      continue;
    }
    if (word !== 'any' && word !== 'all')
      throw scanner.error('UnknownFunction', `there is no function '${segment.slice(0, 60)}' of a property`, place);
    return lambda(scanner, word, { kind: 'path', segments, at }, place);
  }
  return { kind: 'path', segments, at };
}

function lambda(scanner: Scanner, operator: 'any' | 'all', collection: Path, at: number): Lambda {
  scanner.require('(');
  scanner.count(at);
  if (scanner.take(')')) {
    if (operator === 'all') throw scanner.error('Syntax', "'all' needs a condition", at);
    return { kind: 'lambda', operator, collection, at };
  }
  scanner.space();
  const variable = scanner.name('the name of a variable');
  scanner.require(':');
  const body = scanner.nested(() => parseExpression(scanner));
  scanner.require(')', "an operator or ')'");
  return { kind: 'lambda', operator, collection, variable, body, at };
}

function behindSpace(scanner: Scanner): number {
  scanner.space();
  return scanner.at;
}

function takeWord(scanner: Scanner, word: string): boolean {
  scanner.space();
  if (scanner.peekWord() !== word) return false;
  scanner.at += word.length;
  return true;
}
