import { callFunction, type FunctionName } from '../store/functions.ts';
import type { Binary, Call, Unary } from './ast.ts';
import type { Binder } from './bind.ts';
import type { Constant, Value } from './bound.ts';
import { CALLS, type CallShape, type Kind } from './calls.ts';
import { describe } from './coerce.ts';
import { fold, foldPair } from './fold.ts';
import { parseInstant } from './literals.ts';

const FIRST_INSTANT = parseInstant('0001-01-01T00:00:00Z')!;
const LAST_INSTANT = parseInstant('9999-12-31T23:59:59.999Z')!;

export function bindCall(binder: Binder, node: Call): Value {
  const shape = CALLS.get(node.name);
  if (!shape) throw binder.error('UnknownFunction', node.at, `there is no function '${node.name}'`);
  checkCount(binder, node, shape);
  const args = node.args.map((arg) => binder.value(arg));
  for (const [i, arg] of args.entries()) {
    const wanted: readonly Kind[] = shape.parameters[i]!;
    if (arg.type !== undefined && !wanted.includes(arg.type))
      throw binder.error('TypeMismatch', node.args[i]!.at, `'${node.name}' does not take ${describe(arg)}`);
  }
  switch (shape.store) {
    case 'now':
      return { kind: 'constant', type: 'instant', value: binder.now };
    case 'mindatetime':
      return { kind: 'constant', type: 'instant', value: FIRST_INSTANT };
    case 'maxdatetime':
      return { kind: 'constant', type: 'instant', value: LAST_INSTANT };
    case 'totalseconds':
      return computed(
        binder,
        node.at,
        'divby',
        [args[0]!, { kind: 'constant', type: 'number', value: 1000 }],
        'number',
      );
    default:
      return textCall(binder, node.at, shape, shape.store, shape.reversed ? args.toReversed() : args);
  }
}

function checkCount(binder: Binder, { name, args, at }: Call, { parameters, optional = 0 }: CallShape): void {
  if (args.length <= parameters.length && args.length >= parameters.length - optional) return;
  const counts = optional === 0 ? `${parameters.length}` : `${parameters.length - optional} or ${parameters.length}`;
  const noun = counts === '1' ? 'argument' : 'arguments';
  throw binder.error('Syntax', at, `'${name}' takes ${counts} ${noun}, not ${args.length},`);
}

/** If an operand ignores case, the result does too. */
function textCall(binder: Binder, at: number, shape: CallShape, name: FunctionName, args: readonly Value[]): Value {
  const pairwise = name === 'contains' || name === 'startswith' || name === 'endswith' || name === 'indexof';
  const used = pairwise
    ? foldPair(args[0]!, args[1]!)
    : name === 'concat' && args.some((arg) => arg.folded)
      ? args.map(fold)
      : args;
  const keeps = name === 'trim' || name === 'substring' || name === 'concat';
  const folded = keeps && used.some((arg) => arg.folded);
  const whole = shape.whole || (args[0]?.whole === true && shape.result === 'number' && name !== 'fractionalseconds');
  return computed(binder, at, name, used, shape.result, { whole, folded });
}

/** Returns a call, or its result if all arguments are constant. */
function computed(
  binder: Binder,
  at: number,
  name: FunctionName,
  args: readonly Value[],
  type: Kind,
  traits: { whole?: boolean; folded?: boolean } = {},
): Value {
  const constants: Constant['value'][] = [];
  for (const arg of args) {
    if (arg.kind !== 'constant') continue;
    if (typeof arg.value === 'number' && !Number.isFinite(arg.value))
      throw binder.error('NotSupported', at, 'INF and NaN can be compared, but not used in a computation,');
    if (arg.value === null) return { kind: 'constant', type: undefined, value: null };
    constants.push(arg.value);
  }
  if (constants.length === args.length) {
    const value = callFunction(name, constants);
    return { kind: 'constant', type: value === null ? undefined : type, value, ...traits };
  }
  return { kind: 'call', name, args, type, ...traits };
}

/** The result type of an operator for two types; undefined if it does not accept them. */
function resultOf(operator: Binary['operator'], left: Kind, right: Kind): Kind | undefined {
  if (left === 'number' && right === 'number') return 'number';
  const sum = operator === 'add' || operator === 'sub';
  if (left === 'duration' && right === 'duration' && sum) return 'duration';
  if (left === 'instant' && right === 'duration' && sum) return 'instant';
  if (left === 'duration' && right === 'instant' && operator === 'add') return 'instant';
  if (left === 'instant' && right === 'instant' && operator === 'sub') return 'duration';
  const product = operator === 'mul' || operator === 'div' || operator === 'divby';
  if (left === 'duration' && right === 'number' && product) return 'duration';
  if (left === 'number' && right === 'duration' && operator === 'mul') return 'duration';
  return undefined;
}

export function bindArithmetic(binder: Binder, { operator, left, right, at }: Binary): Value {
  const args = [binder.value(left), binder.value(right)] as const;
  const [a, b] = args;
  if (a.type === undefined || b.type === undefined) return { kind: 'constant', type: undefined, value: null };
  const type = resultOf(operator, a.type, b.type);
  if (type === undefined)
    throw binder.error('TypeMismatch', at, `'${operator}' does not take ${describe(a)} and ${describe(b)}`);
  const whole = a.whole === true && b.whole === true && operator !== 'divby';
  // Only integers use integer division.
  const name = operator === 'div' && !whole ? 'divby' : (operator as FunctionName);
  return computed(binder, at, name, args, type, { whole });
}

export function bindNegation(binder: Binder, { operand, at }: Unary): Value {
  const value = binder.value(operand);
  if (value.type === undefined) return value;
  if (value.type !== 'number' && value.type !== 'duration')
    throw binder.error('TypeMismatch', at, `'-' does not take ${describe(value)}`);
  return computed(binder, at, 'negate', [value], value.type, { whole: value.whole === true });
}
