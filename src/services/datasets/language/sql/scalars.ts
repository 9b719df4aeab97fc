import type { Coalesce, Constant, Scalar, ScalarLet, Switch } from '../plan/types.ts';
import { arithmetic, divide, negation } from './arithmetic.ts';
import type { Compiler } from './compiler.ts';
import { type Environment, isScalarSql, type ScalarSql, withFilters, withVariable } from './environment.ts';
import { changed } from './filters.ts';
import { asKeyOf, quoted, tailOf } from './relation.ts';
import { isShort } from './repeatable.ts';

/** Compiles any scalar except an aggregate. */
export function scalar(
  compiler: Compiler,
  plan: Exclude<Scalar, { kind: 'aggregate' }>,
  environment: Environment,
): ScalarSql {
  switch (plan.kind) {
    case 'constant':
      return constant(compiler, plan);
    case 'scope column': {
      if (plan.type === 'blank') return constant(compiler, { kind: 'constant', type: 'blank', value: null });
      const { value, key, type } = environment.rows.get(plan.scope)!.columns[plan.index]!;
      return { sql: value, key, type, nullable: true, strict: false };
    }
    case 'related':
      return related(compiler, plan, environment);
    case 'scalar variable': {
      const bound = environment.variables.get(plan.binding);
      if (!bound || !isScalarSql(bound)) throw new Error(`variable ${plan.binding.name} is not bound`);
      return bound;
    }
    case 'scalar let':
      return letIn(compiler, plan, environment);
    case 'arithmetic':
      return arithmetic(compiler, plan, environment);
    case 'negation':
      return negation(compiler, plan, environment);
    case 'divide':
      return divide(compiler, plan, environment);
    case 'concatenation': {
      const [left, right] = [plan.left, plan.right].map((each) => textOf(compiler, compiler.scalar(each, environment)));
      return { sql: `(${left} || ${right})`, type: 'text', nullable: false, strict: false };
    }
    case 'choice': {
      const condition = compiler.condition(plan.condition, environment);
      const [yes, no] = [plan.yes, plan.no].map((each) =>
        compiler.converted(compiler.scalar(each, environment), plan.type),
      );
      return {
        sql: `CASE WHEN ${condition} THEN ${yes!.sql} ELSE ${no!.sql} END`,
        type: plan.type,
        nullable: yes!.nullable || no!.nullable,
        strict: isStrict(yes!) && isStrict(no!),
      };
    }
    case 'switch':
      return switched(compiler, plan, environment);
    case 'coalesce':
      return coalesced(compiler, plan, environment);
    case 'function': {
      const args = plan.args.map((each) => (typeof each === 'object' ? compiler.scalar(each, environment) : each));
      const sql = plan.function.sql(args, compiler.dialect.engine);
      return { sql, type: plan.type, nullable: true, strict: false };
    }
    case 'calculate':
      return compiler.scalar(plan.body, withFilters(environment, changed(compiler, plan.change, environment)));
    case 'table value': {
      const relation = compiler.table(plan.table, environment);
      const { value, type } = relation.columns[0]!;
      const single = compiler.dialect.call('dax_single', 'count(*)');
      return {
        sql: `(SELECT CASE WHEN ${single} = 1 THEN max(${value}) END${tailOf(relation)})`,
        type,
        nullable: true,
        strict: false,
      };
    }
    case 'comparison':
    case 'logic':
    case 'not':
    case 'in':
    case 'is blank':
    case 'is empty': {
      const sql = `CASE WHEN ${compiler.condition(plan, environment)} THEN 1 ELSE 0 END`;
      return { sql, type: 'boolean', nullable: false, strict: false };
    }
  }
}

/** A BLANK() constant is blank for groups without rows, too. */
const isStrict = ({ strict, type }: ScalarSql): boolean => strict || type === 'blank';

function constant(compiler: Compiler, { type, value }: Constant): ScalarSql {
  const sql = compiler.parameters.add(type, value);
  if (value === null) return { sql, type, nullable: true, strict: true };
  const literal = { sql, type, nullable: false, strict: false, constant: value };
  return typeof value === 'string' ? { ...literal, key: compiler.parameters.add(type, compiler.fold(value)) } : literal;
}

/** Related columns of a scan are joined to it; for other rows they are looked up by the row's key. */
function related(compiler: Compiler, plan: Extract<Scalar, { kind: 'related' }>, environment: Environment): ScalarSql {
  const { scan, columns } = environment.rows.get(plan.scope)!;
  const steps = plan.steps.map((relationship) => ({ relationship, up: true }));
  if (scan && scan.table === plan.steps[0]!.from.table) {
    const { value, key, type } = scan.at(steps).own(plan.column);
    return { sql: value, key, type, nullable: true, strict: false };
  }
  const first = compiler.newScan(plan.steps[0]!.to.table, { blankRow: false });
  const { value, key, type } = first.at(steps.slice(1)).own(plan.column);
  const { to } = plan.steps[0]!;
  const where = [`${first.own(to).key} = ${asKeyOf(to.type, columns[plan.index]!)}`];
  const tail = tailOf({ source: first.source, where });
  const lookUp = (column: string): string => `(SELECT ${column}${tail})`;
  return { sql: lookUp(value), key: lookUp(key), type, nullable: true, strict: false };
}

export function textOf(compiler: Compiler, value: ScalarSql): string {
  const { sql, nullable } = compiler.converted(value, 'text');
  return nullable ? `coalesce(${sql}, '')` : sql;
}

/** Variables are computed once and named; short ones are repeated where they are used. */
function letIn(compiler: Compiler, plan: ScalarLet, environment: Environment): ScalarSql {
  let inner = environment;
  const named = new NamedValues();
  for (const binding of plan.bindings) {
    if ('columns' in binding.value) {
      inner = withVariable(inner, binding, inner);
      continue;
    }
    const value = compiler.scalar(binding.value, inner);
    if (isShort(value.sql)) {
      inner = withVariable(inner, binding, value);
      continue;
    }
    const sql = named.add(compiler.aliases.next('w'), bounded(compiler, value));
    const { type, nullable, strict } = value;
    inner = withVariable(inner, binding, { sql, type, nullable, strict });
  }
  const body = compiler.scalar(plan.body, inner);
  const { type, nullable, strict } = body;
  return named.isEmpty ? body : { sql: named.around(body.sql), type, nullable, strict };
}

const NAMED = /\b(w\d+)\."x"/g;

/**
 * Named values, each computed in its own statement that also carries the values before it. Each statement is used only once: SQLite copies
 * a WITH statement for each use, and nested copies would be too many to prepare.
 */
class NamedValues {
  readonly #places = new Map<string, number>();
  readonly #aliases: string[] = [];
  readonly #statements: string[] = [];

  get isEmpty(): boolean {
    return this.#aliases.length === 0;
  }

  /** Returns a placeholder for the value; which statement it is read from is known only later. */
  add(alias: string, sql: string): string {
    const columns = this.#aliases.map((_, place) => quoted(`x${place}`));
    const select = [...columns, `${this.#placed(sql)} AS ${quoted(`x${columns.length}`)}`].join(', ');
    this.#statements.push(`${alias} AS MATERIALIZED (SELECT ${select}${this.#fromLast()})`);
    this.#places.set(alias, this.#aliases.push(alias) - 1);
    return `${alias}.${quoted('x')}`;
  }

  around(sql: string): string {
    return `(WITH ${this.#statements.join(', ')} SELECT ${this.#placed(sql)}${this.#fromLast()})`;
  }

  #fromLast(): string {
    return this.isEmpty ? '' : ` FROM ${this.#aliases.at(-1)}`;
  }

  #placed(sql: string): string {
    return sql.replace(NAMED, (all, alias: string) => {
      const place = this.#places.get(alias);
      return place === undefined ? all : `${this.#aliases.at(-1)}.${quoted(`x${place}`)}`;
    });
  }
}

/** Limits the length of a text that can be used several times: texts that concatenate each other would double each time. */
export function bounded({ dialect }: Compiler, { sql, type }: Pick<ScalarSql, 'sql' | 'type'>): string {
  const grows = (type === 'text' || type === 'variant') && sql.includes('||');
  return grows ? dialect.call('dax_bounded', sql) : sql;
}

function switched(compiler: Compiler, plan: Switch, environment: Environment): ScalarSql {
  const results = [...plan.cases.map(([, result]) => result), plan.otherwise].map((each) =>
    compiler.converted(compiler.scalar(each, environment), plan.type),
  );
  const cases = plan.cases.map(([value], i) => {
    return `WHEN ${compiler.condition(matches(plan.subject, value), environment)} THEN ${results[i]!.sql}`;
  });
  const otherwise = results.at(-1)!;
  return {
    sql: `CASE ${cases.join(' ')} ELSE ${otherwise.sql} END`,
    type: plan.type,
    nullable: results.some(({ nullable }) => nullable),
    strict: results.every(isStrict),
  };
}

/** A blank matches only a blank, but also FALSE, because it counts as false. SWITCH(TRUE(), …) is a chain of conditions. */
function matches(subject: Scalar, value: Scalar): Scalar {
  if (subject.kind === 'constant' && subject.type === 'boolean' && subject.value === 1 && value.type === 'boolean')
    return value;
  const operator = subject.type === 'boolean' || value.type === 'boolean' ? '=' : '==';
  return { kind: 'comparison', type: 'boolean', operator, left: subject, right: value };
}

function coalesced(compiler: Compiler, plan: Coalesce, environment: Environment): ScalarSql {
  const values = plan.values.map((each) => compiler.converted(compiler.scalar(each, environment), plan.type));
  return {
    sql: `coalesce(${values.map(({ sql }) => sql).join(', ')})`,
    type: plan.type,
    nullable: values.every(({ nullable }) => nullable),
    strict: values.every(isStrict),
  };
}
