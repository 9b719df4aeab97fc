import type { Arithmetic, Divide, Negation } from '../plan/types.ts';
import { power } from '../scalar/functions/maths.ts';
import type { ScalarType } from '../scalar/types.ts';
import type { Compiler } from './compiler.ts';
import type { Environment, ScalarSql } from './environment.ts';
import { isCheap } from './repeatable.ts';

/** How many ten-thousandths a fixed decimal number has in one. */
const SCALE = 10_000;

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

/** A blank counts as zero beside a number; two blanks are blank. */
function sum(compiler: Compiler, operator: '+' | '-', type: ScalarType, left: ScalarSql, right: ScalarSql): ScalarSql {
  const inner = type === 'date' ? 'double' : type;
  const [a, b] = [left, right].map((each) => compiler.converted(each, inner));
  const strict = (left.strict || left.type === 'blank') && (right.strict || right.type === 'blank');
  return { sql: sumSql(compiler, operator, a!, b!), type, nullable: a!.nullable && b!.nullable, strict };
}

function sumSql({ dialect }: Compiler, operator: '+' | '-', a: ScalarSql, b: ScalarSql): string {
  if (!a.nullable || !b.nullable) {
    const whole = ({ sql, nullable }: ScalarSql): string => (nullable ? `coalesce(${sql}, 0)` : sql);
    return `(${whole(a)} ${operator} ${whole(b)})`;
  }
  const repeatable = isCheap(a.sql) && isCheap(b.sql);
  if (repeatable) return `coalesce(${a.sql} ${operator} ${b.sql}, ${a.sql}, ${operator === '-' ? `-${b.sql}` : b.sql})`;
  if (dialect.engine === 'postgres') return dialect.call(operator === '+' ? 'dax_add' : 'dax_subtract', a.sql, b.sql);
  // A function of SQLite would get whole numbers as doubles.
  const sum = `coalesce("a" ${operator} "b", "a", ${operator === '-' ? '-"b"' : '"b"'})`;
  return `(WITH "pair"("a", "b") AS MATERIALIZED (SELECT ${a.sql}, ${b.sql}) SELECT ${sum} FROM "pair")`;
}

function product(compiler: Compiler, type: ScalarType, left: ScalarSql, right: ScalarSql): ScalarSql {
  const { dialect } = compiler;
  const nullable = left.nullable || right.nullable;
  const strict = left.strict || right.strict;
  const doubles = (): string =>
    `(${compiler.converted(left, 'double').sql} * ${compiler.converted(right, 'double').sql})`;
  if (type === 'decimal') {
    const wholeFactor = [left, right].some(({ type: each }) => each === 'int' || each === 'boolean');
    const sql = wholeFactor
      ? `(${[left, right].map((each) => (each.type === 'decimal' ? each.sql : compiler.converted(each, 'int').sql)).join(' * ')})`
      : dialect.int(`round(${doubles()} * ${SCALE})`);
    return { sql, type, nullable, strict };
  }
  if (type === 'int' && left.type !== 'date' && right.type !== 'date') {
    return {
      sql: `(${compiler.converted(left, 'int').sql} * ${compiler.converted(right, 'int').sql})`,
      type,
      nullable,
      strict,
    };
  }
  return { sql: type === 'int' ? dialect.int(`round(${doubles()})`) : doubles(), type, nullable, strict };
}

/** Nothing divided by anything is nothing; anything divided by nothing is infinite. */
function quotient(compiler: Compiler, type: ScalarType, left: ScalarSql, right: ScalarSql): ScalarSql {
  const { dialect } = compiler;
  const [a, b] = [left, right].map((each) => compiler.converted(each, 'double').sql);
  const strict = left.strict;
  // A fixed decimal number cannot be infinite.
  if (type === 'decimal') {
    return { sql: dialect.int(`round(${a} / nullif(${b}, 0) * ${SCALE})`), type, nullable: true, strict };
  }
  const safe = right.constant !== undefined && typeof right.constant !== 'string' && Number(right.constant) !== 0;
  const sql = safe ? `(${a} / ${b})` : dialect.call('dax_divide', a!, b!);
  return { sql, type, nullable: true, strict };
}

export function negation(compiler: Compiler, plan: Negation, environment: Environment): ScalarSql {
  const inner = plan.type === 'date' ? 'double' : plan.type;
  const { sql, nullable, strict } = compiler.converted(compiler.scalar(plan.operand, environment), inner);
  return { sql: `(- ${sql})`, type: plan.type, nullable, strict };
}

/** DIVIDE: what cannot be divided is blank, or the third argument. */
export function divide(compiler: Compiler, plan: Divide, environment: Environment): ScalarSql {
  const left = compiler.scalar(plan.left, environment);
  const right = compiler.scalar(plan.right, environment);
  const type: ScalarType = left.type === 'decimal' && right.type !== 'decimal' ? 'decimal' : 'double';
  const [a, b] = [left, right].map((each) => compiler.converted(each, 'double').sql);
  const plain = `(${a} / nullif(${b}, 0))`;
  const sql = type === 'decimal' ? compiler.dialect.int(`round(${plain} * ${SCALE})`) : plain;
  const value: ScalarSql = { sql, type, nullable: true, strict: left.strict };
  if (!plan.otherwise) return value;
  const otherwise = compiler.converted(compiler.scalar(plan.otherwise, environment), plan.type);
  return {
    sql: `CASE WHEN coalesce(${b}, 0) = 0 THEN ${otherwise.sql} ELSE ${compiler.converted(value, plan.type).sql} END`,
    type: plan.type,
    nullable: true,
    strict: false,
  };
}
