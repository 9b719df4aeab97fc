import { arithmetic } from './arithmetic.ts';
import { alike, type Bound, type Column, cast, converted, type Row, truth } from './bound.ts';
import { boundedText } from './bounded-text.ts';
import { type ColumnName, placeOf } from './column-place.ts';
import { checkOrdered, compare } from './compare.ts';
import { callOf } from './functions.ts';
import { intervalArithmetic } from './interval-arithmetic.ts';
import { likePattern } from './like.ts';
import type { Meter } from './meter.ts';
import { problems } from './problem.ts';
import type { Session } from './session.ts';
import { shown } from './show.ts';
import type { Expression } from './syntax.ts';
import { isNumeric, type SqlValue, simple } from './types.ts';

/** Resolves the names of an expression. */
export interface Scope {
  readonly session: Session;
  readonly meter: Meter;
  readonly columns: readonly Column[];
  /** The column indexes by name in lower case. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** In a query with groups: returns the value of an expression per group, or undefined if the expression has to be bound by its parts. */
  grouped?(expression: Expression): Bound | undefined;
}

const BOOLEAN = simple('BOOLEAN');

export function scopeOf(session: Session, meter: Meter, columns: readonly Column[]): Scope {
  const places = new Map<string, number[]>();
  for (const [index, column] of columns.entries()) {
    const name = column.name.toLowerCase();
    const known = places.get(name);
    if (known) known.push(index);
    else places.set(name, [index]);
  }
  return { session, meter, columns, places };
}

/** Resolves names and types. Each later evaluation of a value counts as a step of the statement. */
export function bind(expression: Expression, scope: Scope): Bound {
  const { meter } = scope;
  meter.spend(1);
  const { of, ...bound } = resolved(expression, scope);
  return {
    ...bound,
    of(row) {
      meter.spend(1);
      const value = of(row);
      if (typeof value === 'string') meter.read(value);
      return value;
    },
  };
}

function resolved(expression: Expression, scope: Scope): Bound {
  const grouped = scope.grouped?.(expression);
  if (grouped) return grouped;
  switch (expression.is) {
    case 'literal': {
      const { type, value } = expression;
      return { type, of: () => value, literal: true };
    }
    case 'parameter': {
      const { name, at } = expression;
      const given = scope.session.parameters.get(name);
      if (!given) throw problems.unbound(typeof name === 'number' ? '_' : name, at);
      return { type: given.type, of: () => given.value, literal: true };
    }
    case 'column':
      return columnOf(expression, scope);
    case 'negative':
      return negative(bind(expression.of, scope));
    case 'not': {
      const of = truth(bind(expression.of, scope));
      return { type: BOOLEAN, of: (row) => negated(of.of(row)) };
    }
    case 'binary':
      return binary(expression, scope);
    case 'isNull': {
      const of = bind(expression.of, scope);
      return { type: BOOLEAN, of: (row) => (of.of(row) === null) !== expression.not };
    }
    case 'in':
      return inList(expression, scope);
    case 'like': {
      const of = converted(bind(expression.of, scope), simple('STRING'));
      const pattern = converted(bind(expression.pattern, scope), simple('STRING'));
      return { type: BOOLEAN, of: likePattern(of, pattern, expression, scope.meter) };
    }
    case 'between':
      return between(expression, scope);
    case 'case':
      return cases(expression, scope);
    case 'cast':
      return cast(bind(expression.of, scope), expression.type, expression.isTry);
    case 'call':
      return callOf(
        expression,
        expression.args.map((arg) => bind(arg, scope)),
        scope.session,
      );
    case 'subquery':
    case 'exists':
    case 'inQuery':
      // Subqueries have been replaced by their values before, except in places that do not allow one.
      throw problems.unsupported('a subquery is not possible here');
  }
}

const ZERO: Bound = { type: simple('INT'), of: () => 0n, literal: true };

function negative(of: Bound): Bound {
  // Evaluated as a subtraction from 0, which converts texts to numbers and handles the smallest integer.
  if (of.type.kind !== 'DECIMAL' && of.type.kind !== 'INTERVAL')
    return arithmetic('-', of.type.kind === 'INT' ? ZERO : isNumeric(of.type) ? converted(ZERO, of.type) : ZERO, of);
  return { type: of.type, of: (row) => onValue(of.of(row), (value) => -BigInt(value)) };
}

const onValue = (value: SqlValue, work: (value: Exclude<SqlValue, null>) => SqlValue): SqlValue =>
  value === null ? null : work(value);

function columnOf(expression: ColumnName, scope: Scope): Bound {
  const index = placeOf(expression, scope);
  if (scope.grouped) throw problems.notGrouped(expression.parts.at(-1) as string);
  const { type } = scope.columns[index] as Column;
  return { type, of: (row) => row[index] ?? null };
}

const negated = (value: SqlValue): SqlValue => (value === null ? null : value !== true);

function binary(expression: Extract<Expression, { is: 'binary' }>, scope: Scope): Bound {
  const { op } = expression;
  const left = bind(expression.left, scope);
  const right = bind(expression.right, scope);
  if (op === 'and' || op === 'or') return logic(op, truth(left), truth(right));
  if (op === '||') {
    const [a, b] = [converted(left, simple('STRING')), converted(right, simple('STRING'))];
    return { type: simple('STRING'), of: (row) => joined(a.of(row), b.of(row)) };
  }
  const moved = op === '+' || op === '-' ? intervalArithmetic(op, left, right) : undefined;
  if (moved) return moved;
  if (op === '+' || op === '-' || op === '*' || op === '/' || op === '%') return arithmetic(op, left, right);
  const [a, b] = alike([left, right], () => shown(expression)) as [Bound, Bound];
  if (!EQUALITIES.has(op)) checkOrdered(a.type, op);
  return { type: BOOLEAN, of: (row) => comparison(op, a.of(row), b.of(row)) };
}

const joined = (left: SqlValue, right: SqlValue): SqlValue =>
  left === null || right === null ? null : boundedText([String(left), String(right)]);

/** In a conjunction false takes precedence over unknown, in a disjunction true does. */
function logic(op: 'and' | 'or', left: Bound, right: Bound): Bound {
  const decides = op === 'or';
  return {
    type: BOOLEAN,
    of(row) {
      const first = left.of(row);
      if (first === decides) return decides;
      const second = right.of(row);
      if (second === decides) return decides;
      return first === null || second === null ? null : !decides;
    },
  };
}

const EQUALITIES: ReadonlySet<string> = new Set(['=', '<>', '<=>']);

function comparison(op: string, left: SqlValue, right: SqlValue): SqlValue {
  if (op === '<=>') return left === null || right === null ? left === right : compare(left, right) === 0;
  if (left === null || right === null) return null;
  const order = compare(left, right);
  if (op === '=') return order === 0;
  if (op === '<>') return order !== 0;
  if (op === '<') return order < 0;
  if (op === '<=') return order <= 0;
  return op === '>' ? order > 0 : order >= 0;
}

function inList({ of, list, not }: Extract<Expression, { is: 'in' }>, scope: Scope): Bound {
  const [value, ...others] = alike(
    [of, ...list].map((each) => bind(each, scope)),
    'IN',
  ) as [Bound, ...Bound[]];
  const known =
    others.length >= MANY && others.every(({ literal }) => literal) ? others.map((each) => each.of([])) : undefined;
  if (known) return inSet(value, new Set(known), not);
  return {
    type: BOOLEAN,
    of(row) {
      const wanted = value.of(row);
      if (wanted === null) return null;
      let isUnknown = false;
      for (const other of others) {
        const each = other.of(row);
        if (each === null) isUnknown = true;
        else if (compare(each, wanted) === 0) return !not;
      }
      return isUnknown ? null : not;
    },
  };
}

/** Lists of at least this length use a set lookup instead of a scan. */
const MANY = 8;

/** Set equality agrees with `compare`: `NaN` equals `NaN`, and 0 equals -0. */
const inSet = (value: Bound, known: ReadonlySet<SqlValue>, not: boolean): Bound => ({
  type: BOOLEAN,
  of(row) {
    const wanted = value.of(row);
    if (wanted === null) return null;
    return known.has(wanted) ? !not : known.has(null) ? null : not;
  },
});

/** The operand is evaluated once per row, however often it is compared: otherwise nested expressions would take exponential time. */
const held = ({ type }: Bound): Bound => ({ type, of: ([value = null]) => value });

function between({ of, low, high }: Extract<Expression, { is: 'between' }>, scope: Scope): Bound {
  const operand = bind(of, scope);
  const [overLow, least] = alike([held(operand), bind(low, scope)], 'BETWEEN') as [Bound, Bound];
  const [underHigh, most] = alike([held(operand), bind(high, scope)], 'BETWEEN') as [Bound, Bound];
  checkOrdered(overLow.type, 'BETWEEN');
  checkOrdered(underHigh.type, 'BETWEEN');
  return {
    type: BOOLEAN,
    of(row) {
      const value = [operand.of(row)];
      const isOver = comparison('>=', overLow.of(value), least.of(row));
      if (isOver === false) return false;
      const isUnder = comparison('<=', underHigh.of(value), most.of(row));
      return isUnder === false ? false : isOver === null || isUnder === null ? null : true;
    },
  };
}

/** Index of the first condition that holds, or -1. */
function choice({ of, whens }: Extract<Expression, { is: 'case' }>, scope: Scope): (row: Row) => number {
  if (!of) {
    const conditions = whens.map(({ condition }) => truth(bind(condition, scope)));
    return (row) => conditions.findIndex((condition) => condition.of(row) === true);
  }
  const operand = bind(of, scope);
  const pairs = whens.map(
    ({ condition }) => alike([held(operand), bind(condition, scope)], 'CASE') as readonly [Bound, Bound],
  );
  return (row) => {
    const value = [operand.of(row)];
    return pairs.findIndex(([own, tested]) => comparison('=', own.of(value), tested.of(row)) === true);
  };
}

function cases(expression: Extract<Expression, { is: 'case' }>, scope: Scope): Bound {
  const { whens, otherwise } = expression;
  const chosen = choice(expression, scope);
  const last: Expression = otherwise ?? { is: 'literal', type: simple('NULL'), value: null, shown: 'NULL' };
  const values = alike(
    [...whens.map(({ value }) => value), last].map((each) => bind(each, scope)),
    'CASE',
  );
  const type = (values[0] as Bound).type;
  return { type, of: (row) => (values.at(chosen(row)) as Bound).of(row) };
}
