import type { Comparator, Comparison, In, Scalar } from '../plan/types.ts';
import { compareVariants } from '../scalar/conversions.ts';
import type { ScalarType } from '../scalar/types.ts';
import type { Compiler } from './compiler.ts';
import type { Environment, ScalarSql } from './environment.ts';
import { withTimeCheckIfRepeated } from './filters.ts';
import { tailOf } from './relation.ts';
import { present } from './sentinels.ts';

type Loose = Exclude<Comparator, '=='>;

const OPPOSITE: Readonly<Record<Loose, Loose>> = {
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};

const TRUE = '1 = 1';
const FALSE = '1 = 0';

/**
 * Compiles a boolean value to a condition that is true exactly when the value is `wanted`. Otherwise the condition can be false or NULL, so
 * a negation must never be written as NOT around a condition; it flips `wanted` instead.
 */
export function condition(compiler: Compiler, plan: Scalar, environment: Environment, wanted: boolean): string {
  switch (plan.kind) {
    case 'comparison':
      return comparison(compiler, plan, environment, wanted);
    case 'logic': {
      const both = (plan.operator === 'and') === wanted;
      const [left, right] = [plan.left, plan.right].map((each) => compiler.condition(each, environment, wanted));
      return `(${left} ${both ? 'AND' : 'OR'} ${right})`;
    }
    case 'not':
      return compiler.condition(plan.operand, environment, !wanted);
    case 'is blank':
      return `(${compiler.scalar(plan.operand, environment).sql} IS ${wanted ? '' : 'NOT '}NULL)`;
    case 'is empty': {
      const since = compiler.aliases.last;
      const statement = `SELECT 1${tailOf(compiler.table(plan.table, environment))}`;
      return withTimeCheckIfRepeated(compiler, `${wanted ? 'NOT ' : ''}EXISTS (${statement})`, statement, since);
    }
    case 'in':
      return membership(compiler, plan, environment, wanted);
    case 'constant':
      return isTrue(plan.value) === wanted ? TRUE : FALSE;
    default: {
      const value = compiler.scalar(plan, environment);
      const { sql } = value.type === 'boolean' ? value : compiler.converted(value, 'boolean');
      return wanted ? `(${sql} <> 0)` : `(coalesce(${sql}, 0) = 0)`;
    }
  }
}

const isTrue = (value: bigint | number | string | null): boolean => value !== null && Number(value) !== 0;

function comparison(compiler: Compiler, plan: Comparison, environment: Environment, wanted: boolean): string {
  const left = compiler.scalar(plan.left, environment);
  const right = compiler.scalar(plan.right, environment);
  if (left.type === 'variant' || right.type === 'variant')
    return compareAsVariants(compiler, plan, left, right, wanted);
  const type = comparedAs(left.type, right.type);
  const [a, b] = [left, right].map((each) => side(compiler, each, type));
  if (plan.operator === '==') {
    const { same, different } = compiler.dialect;
    return `(${a!.sql} ${wanted ? same : different} ${b!.sql})`;
  }
  const operator = wanted ? plan.operator : OPPOSITE[plan.operator];
  const byOrder = type === 'text' && operator !== '=' && operator !== '<>';
  return compared(operator, byOrder ? { ...a!, sql: compiler.dialect.byBytes(a!.sql) } : a!, b!, type);
}

/** The type in which both sides are compared: numbers and dates with each other, texts by their keys. */
function comparedAs(left: ScalarType, right: ScalarType): ScalarType {
  if (left === right) return left === 'date' ? 'double' : left;
  if (left === 'blank' || right === 'blank') {
    const other = left === 'blank' ? right : left;
    return other === 'date' ? 'double' : other;
  }
  const types = [left, right];
  if (types.includes('date') || types.includes('double')) return 'double';
  return types.includes('decimal') ? 'decimal' : 'int';
}

interface Side {
  readonly sql: string;
  readonly nullable: boolean;
  /** Undefined if the side is not a constant. */
  readonly constant: bigint | number | string | undefined;
}

function side(compiler: Compiler, value: ScalarSql, type: ScalarType): Side {
  const { nullable, constant } = value;
  if (value.type === 'text' && type === 'text') {
    return {
      sql: compiler.keyOf(value),
      nullable,
      constant: typeof constant === 'string' ? compiler.fold(constant) : undefined,
    };
  }
  if (value.type === 'variant' && type === 'variant')
    return { sql: compiler.keyOf(value), nullable, constant: undefined };
  const scaled = value.type === type ? constant : undefined;
  return { sql: compiler.converted(value, type).sql, nullable, constant: scaled };
}

/** A blank side counts as zero or as empty text. If the other side is a constant, the result for a blank is known at compile time. */
function compared(operator: Loose, a: Side, b: Side, type: ScalarType): string {
  if (b.constant !== undefined && a.nullable)
    return withConstant(operator, a.sql, b.sql, holds(operator, zeroOf(type), b.constant));
  if (a.constant !== undefined && b.nullable) {
    return withConstant(operator, b.sql, a.sql, holds(operator, a.constant, zeroOf(type)), true);
  }
  const zero = type === 'text' ? "''" : '0';
  const whole = ({ sql, nullable }: Side): string => (nullable ? `coalesce(${sql}, ${zero})` : sql);
  return `(${whole(a)} ${operator} ${whole(b)})`;
}

function withConstant(operator: string, sql: string, constant: string, blankHolds: boolean, turned = false): string {
  const plain = turned ? `${constant} ${operator} ${sql}` : `${sql} ${operator} ${constant}`;
  return blankHolds ? `(${plain} OR ${sql} IS NULL)` : `(${plain})`;
}

const zeroOf = (type: ScalarType): bigint | string => (type === 'text' ? '' : 0n);

type Constant = bigint | number | string;

function holds(operator: Loose, a: Constant, b: Constant): boolean {
  const order = a < b ? -1 : a > b ? 1 : 0;
  return { '=': order === 0, '<>': order !== 0, '<': order < 0, '>': order > 0, '<=': order <= 0, '>=': order >= 0 }[
    operator
  ];
}

function compareAsVariants(
  compiler: Compiler,
  { operator }: Comparison,
  left: ScalarSql,
  right: ScalarSql,
  wanted: boolean,
): string {
  const [a, b] = [left, right].map((each) => compiler.converted(each, 'variant'));
  const order = compareVariants(a!, b!, compiler.dialect.engine);
  if (operator === '==') {
    const strict = `((${a!.sql} IS NULL) = (${b!.sql} IS NULL) AND ${order} = 0)`;
    return wanted ? strict : `((${a!.sql} IS NULL) <> (${b!.sql} IS NULL) OR ${order} <> 0)`;
  }
  return `(${order} ${wanted ? operator : OPPOSITE[operator]} 0)`;
}

/** IN compares strictly: a blank matches only a blank. */
function membership(compiler: Compiler, plan: In, environment: Environment, wanted: boolean): string {
  const listed = amongConstants(compiler, plan, environment, wanted);
  if (listed !== undefined) return listed;
  const since = compiler.aliases.last;
  const relation = compiler.table(plan.table, environment);
  const pairs = plan.values.map((each, i) => {
    const value = compiler.scalar(each, environment);
    const column = { ...relation.columns[i]!, type: plan.table.columns[i]!.type };
    const type = comparedAs(...unvaried(value.type, column.type));
    const inTable: ScalarSql = { sql: column.value, key: column.key, type: column.type, nullable: true, strict: false };
    return [value, inTable].map((one) =>
      present(side(compiler, compiler.converted(one, convertible(one.type, type)), type).sql, type),
    );
  });
  const row = (index: number): string => pairs.map((pair) => pair[index]!).join(', ');
  const statement = `SELECT ${row(1)}${tailOf(relation)}`;
  return withTimeCheckIfRepeated(compiler, `(${row(0)}) ${wanted ? '' : 'NOT '}IN (${statement})`, statement, since);
}

const unvaried = (left: ScalarType, right: ScalarType): [ScalarType, ScalarType] =>
  left === 'variant' || right === 'variant' ? ['variant', 'variant'] : [left, right];

const convertible = (from: ScalarType, to: ScalarType): ScalarType => (from === 'text' && to === 'text' ? from : to);

/** The common form `T[c] IN { "a", "b" }`. Returns undefined for other forms. */
function amongConstants(
  compiler: Compiler,
  { values, table }: In,
  environment: Environment,
  wanted: boolean,
): string | undefined {
  if (values.length !== 1 || table.kind !== 'constructed') return undefined;
  const constants = table.rows.flatMap(([each]) => (each?.kind === 'constant' ? [each] : []));
  const value = compiler.scalar(values[0]!, environment);
  if (constants.length < table.rows.length || value.type === 'variant') return undefined;
  const type = comparedAs(value.type, table.columns[0]!.type);
  const { sql } = side(compiler, value, type);
  const present = constants.filter((each) => each.value !== null);
  const list = present.map((each) => side(compiler, compiler.scalar(each, environment), type).sql).join(', ');
  const hasBlank = present.length < constants.length;
  if (present.length === 0) return `(${sql} IS ${wanted ? '' : 'NOT '}NULL)`;
  if (wanted) return hasBlank ? `(${sql} IN (${list}) OR ${sql} IS NULL)` : `(${sql} IN (${list}))`;
  return hasBlank ? `(${sql} NOT IN (${list}))` : `(${sql} NOT IN (${list}) OR ${sql} IS NULL)`;
}
