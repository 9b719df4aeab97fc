import type { Arithmetic, Divide, Negation } from '../plan/types.ts';
import { power } from '../scalar/functions/maths.ts';
import type { ScalarType } from '../scalar/types.ts';
import type { Compiler } from './compiler.ts';
import type { Dialect } from './dialect.ts';
import type { Environment, ScalarSql } from './environment.ts';
import { aliasNumbersIn } from './relation.ts';
import { isCheap } from './repeatable.ts';

export function arithmetic(compiler: Compiler, plan: Arithmetic, environment: Environment): ScalarSql {
  const left = compiler.scalar(plan.left, environment);
  const right = compiler.scalar(plan.right, environment);
  switch (plan.operator) {
    case '+':
    case '-':
      return sum(compiler, plan.operator, plan.type, left, right);
    case '*':
      return product(compiler, plan.type, left, right);
    case '/':
      return quotient(compiler, plan.type, left, right);
    case '^': {
      const [base, exponent] = [left, right].map((each) => compiler.converted(each, 'double').sql);
      const sql = power(base!, exponent!, compiler.dialect.engine);
      return { sql, type: 'double', nullable: true, strict: false };
    }
  }
}

/** A blank counts as zero beside a number; the sum of two blanks is blank. */
function sum(compiler: Compiler, operator: '+' | '-', type: ScalarType, left: ScalarSql, right: ScalarSql): ScalarSql {
  const inner = type === 'date' ? 'double' : type;
  const [a, b] = [left, right].map((each) => compiler.converted(each, inner));
  const strict = (left.strict || left.type === 'blank') && (right.strict || right.type === 'blank');
  const sql = inner === 'double' ? doubleSum(compiler, operator, a!, b!) : wholeSum(compiler, operator, a!, b!);
  return { sql, type, nullable: a!.nullable && b!.nullable, strict };
}

/** On overflow of a double, PostgreSQL fails; the query language gives Infinity. */
function doubleSum(compiler: Compiler, operator: '+' | '-', a: ScalarSql, b: ScalarSql): string {
  const { dialect } = compiler;
  if (dialect.engine === 'sqlite') return sumSql(compiler, operator, a, b);
  return dialect.call(operator === '+' ? 'dax_add' : 'dax_subtract', a.sql, b.sql);
}

function wholeSum(compiler: Compiler, operator: '+' | '-', a: ScalarSql, b: ScalarSql): string {
  const sql = sumSql(compiler, operator, { ...a, sql: lazy(compiler, a.sql) }, b);
  return inRange(compiler, sql, [a, b]);
}

/**
 * PostgreSQL evaluates constant expressions before the statement runs, and would fail for a branch that no row takes. It does not evaluate
 * the result of a subquery in advance.
 */
function lazy({ dialect }: Compiler, sql: string): string {
  return dialect.engine === 'postgres' && isCheap(sql) && aliasNumbersIn(sql).length === 0 ? `(SELECT ${sql})` : sql;
}

/** On integer overflow SQLite continues with a double; this turns it into an error, as on PostgreSQL. */
function inRange({ dialect }: Compiler, sql: string, operands: readonly ScalarSql[]): string {
  if (dialect.engine === 'postgres') return sql;
  if (!operands.every((each) => isCheap(each.sql))) return dialect.call('dax_in_range', sql);
  return `CASE WHEN typeof(${sql}) = 'real' THEN ${dialect.call('dax_in_range', sql)} ELSE ${sql} END`;
}

function sumSql({ dialect }: Compiler, operator: '+' | '-', a: ScalarSql, b: ScalarSql): string {
  if (!a.nullable || !b.nullable) {
    const whole = ({ sql, nullable }: ScalarSql): string => (nullable ? `coalesce(${sql}, 0)` : sql);
    return `(${whole(a)} ${operator} ${whole(b)})`;
  }
  const repeatable = isCheap(a.sql) && isCheap(b.sql);
  if (repeatable) return `coalesce(${a.sql} ${operator} ${b.sql}, ${a.sql}, ${operator === '-' ? `-${b.sql}` : b.sql})`;
  if (dialect.engine === 'postgres') return dialect.call(operator === '+' ? 'dax_add' : 'dax_subtract', a.sql, b.sql);
  // Computed in SQL, because SQLite would pass large integers to a function as doubles.
  const sum = `coalesce("a" ${operator} "b", "a", ${operator === '-' ? '-"b"' : '"b"'})`;
  return `(WITH "pair"("a", "b") AS MATERIALIZED (SELECT ${a.sql}, ${b.sql}) SELECT ${sum} FROM "pair")`;
}

function product(compiler: Compiler, type: ScalarType, left: ScalarSql, right: ScalarSql): ScalarSql {
  const { dialect } = compiler;
  const nullable = left.nullable || right.nullable;
  const strict = left.strict || right.strict;
  const doubles = (): string => {
    const [a, b] = [left, right].map((each) => compiler.converted(each, 'double').sql);
    return dialect.engine === 'postgres' ? dialect.call('dax_multiply', a!, b!) : `(${a} * ${b})`;
  };
  const wholes = (a: ScalarSql, b: ScalarSql): string =>
    inRange(compiler, `(${lazy(compiler, a.sql)} * ${b.sql})`, [a, b]);
  const converted = (to: ScalarType): string =>
    compiler.converted({ sql: doubles(), type: 'double', nullable, strict }, to).sql;
  if (type === 'decimal') {
    const wholeFactor = [left, right].some(({ type: each }) => each === 'int' || each === 'boolean');
    const [a, b] = [left, right].map((each) => (each.type === 'decimal' ? each : compiler.converted(each, 'int')));
    return { sql: wholeFactor ? wholes(a!, b!) : converted('decimal'), type, nullable, strict };
  }
  if (type === 'int' && left.type !== 'date' && right.type !== 'date') {
    const [a, b] = [left, right].map((each) => compiler.converted(each, 'int'));
    return { sql: wholes(a!, b!), type, nullable, strict };
  }
  return { sql: type === 'int' ? converted('int') : doubles(), type, nullable, strict };
}

/** A blank dividend gives a blank; division by zero or blank gives infinity. */
function quotient(compiler: Compiler, type: ScalarType, left: ScalarSql, right: ScalarSql): ScalarSql {
  const { dialect } = compiler;
  const [a, b] = [left, right].map((each) => compiler.converted(each, 'double').sql);
  const strict = left.strict;
  // A fixed decimal number cannot be infinite, so division by zero gives a blank.
  if (type === 'decimal') {
    return compiler.converted({ sql: quotientOrBlank(dialect, a!, b!), type: 'double', nullable: true, strict }, type);
  }
  const safe =
    dialect.engine === 'sqlite' &&
    right.constant !== undefined &&
    typeof right.constant !== 'string' &&
    Number(right.constant) !== 0;
  return { sql: safe ? `(${a} / ${b})` : dialect.call('dax_divide', a!, b!), type, nullable: true, strict };
}

export function negation(compiler: Compiler, plan: Negation, environment: Environment): ScalarSql {
  const inner = plan.type === 'date' ? 'double' : plan.type;
  const operand = compiler.converted(compiler.scalar(plan.operand, environment), inner);
  const { nullable, strict } = operand;
  const sql = `(- ${operand.sql})`;
  return { sql: inner === 'double' ? sql : inRange(compiler, sql, [operand]), type: plan.type, nullable, strict };
}

/** Division by zero or blank gives a blank. */
const quotientOrBlank = (dialect: Dialect, a: string, b: string): string =>
  dialect.engine === 'postgres' ? dialect.call('dax_divide_or_blank', a, b) : `(${a} / nullif(${b}, 0))`;

/** DIVIDE: division by zero or blank gives a blank, or the third argument. */
export function divide(compiler: Compiler, plan: Divide, environment: Environment): ScalarSql {
  const left = compiler.scalar(plan.left, environment);
  const right = compiler.scalar(plan.right, environment);
  const type: ScalarType = left.type === 'decimal' && right.type !== 'decimal' ? 'decimal' : 'double';
  const [a, b] = [left, right].map((each) => compiler.converted(each, 'double').sql);
  const sql = quotientOrBlank(compiler.dialect, a!, b!);
  const value = compiler.converted({ sql, type: 'double', nullable: true, strict: left.strict }, type);
  if (!plan.otherwise) return value;
  const otherwise = compiler.converted(compiler.scalar(plan.otherwise, environment), plan.type);
  return {
    sql: `CASE WHEN coalesce(${b}, 0) = 0 THEN ${otherwise.sql} ELSE ${compiler.converted(value, plan.type).sql} END`,
    type: plan.type,
    nullable: true,
    strict: false,
  };
}
