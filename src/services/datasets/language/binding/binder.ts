import { type Catalogue, type Column, type Measure, nameKey, type Table } from '../catalogue.ts';
import { type Position, QueryError } from '../errors.ts';
import type { Binding, Calculate, Scalar, TablePlan } from '../plan/types.ts';
import { scalarFunction } from '../scalar/functions.ts';
import type { Call, ColumnReference, Expression, Let, NameReference, TableConstructor } from '../syntax/ast.ts';
import { parseMeasure } from '../syntax/parse.ts';
import { formOf, hasOwnRows, isFunction, isModifier, isReserved, returnsTable } from './forms.ts';
import { bindFunction } from './functions.ts';
import { bindBinary, bindMembership, bindUnary } from './operators.ts';
import { baseTable, constant, referenceTo } from './plans.ts';
import { EMPTY, type Environment, isTable, newColumn, withVariable } from './scopes.ts';
import { columnType } from './types.ts';

export type Form = (binder: Binder, call: Call, environment: Environment) => Scalar | TablePlan;

/** Resolves the names of a query and infers its types. */
export class Binder {
  readonly catalogue: Catalogue;
  /** Days since 1899-12-30; constant for the whole query. */
  readonly now: number;
  readonly #defined = new Map<string, { readonly table: Table; readonly expression: Expression }>();
  readonly #plans = new Map<string, Scalar | 'being read'>();

  constructor(catalogue: Catalogue, now: number) {
    this.catalogue = catalogue;
    this.now = now;
  }

  define(name: string, tableName: string, expression: Expression, at: Position): void {
    const table = this.catalogue.table(tableName);
    if (!table) throw new QueryError(`Cannot find table '${tableName}'.`, at);
    if (table.column(name)) this.fail(`The measure '${name}' has the name of a column of its table.`, at);
    if (this.#defined.has(nameKey(name))) this.fail(`There are two measures with the name '${name}'.`, at);
    this.#defined.set(nameKey(name), { table, expression });
  }

  scalar(expression: Expression, environment: Environment): Scalar {
    const plan = this.value(expression, environment);
    if (!isTable(plan)) return plan;
    if (plan.columns.length === 1) return { kind: 'table value', type: plan.columns[0]!.type, table: plan };
    return this.fail(
      'The expression refers to multiple columns. Multiple columns cannot be converted to a scalar value.',
      expression.at,
    );
  }

  table(expression: Expression, environment: Environment): TablePlan {
    const plan = this.value(expression, environment);
    if (isTable(plan)) return plan;
    return this.fail('The expression is not a valid table expression: a table is expected here.', expression.at);
  }

  value(expression: Expression, environment: Environment): Scalar | TablePlan {
    switch (expression.kind) {
      case 'literal':
        return constant(expression.value);
      case 'column':
        return this.#column(expression, environment);
      case 'name':
        return this.#name(expression, environment);
      case 'call':
        return this.#call(expression, environment);
      case 'unary':
        return bindUnary(this, expression, environment);
      case 'binary':
        return bindBinary(this, expression, environment);
      case 'in':
        return bindMembership(this, expression, environment);
      case 'table':
        return this.#constructed(expression, environment);
      case 'let':
        return this.#let(expression, environment);
    }
  }

  /** True if the expression is a table; decided without binding its contents. */
  isTableExpression(expression: Expression, environment: Environment): boolean {
    switch (expression.kind) {
      case 'table':
        return true;
      case 'name': {
        const variable = expression.quoted ? undefined : environment.variables.get(nameKey(expression.name));
        return variable ? isTable(variable.value) : true;
      }
      case 'call':
        return returnsTable(expression.name);
      case 'let':
        return this.isTableExpression(expression.body, environment);
      default:
        return false;
    }
  }

  hasOwnRows(call: Call): boolean {
    return hasOwnRows(call);
  }

  /** The model column that an argument references. */
  modelColumn(expression: Expression | undefined, call: Call): Column {
    if (expression?.kind !== 'column') {
      return this.fail(
        `The ${call.name} function only accepts a column reference as an argument.`,
        expression?.at ?? call.at,
      );
    }
    if (expression.table === undefined) {
      return this.fail(`Cannot identify the table that contains [${expression.name}] column.`, expression.at);
    }
    const table = this.modelTable(expression.table, expression.at);
    return table.column(expression.name) ?? this.#unknownColumn(expression.name, table, expression.at);
  }

  modelTable(name: string, at: Position): Table {
    return this.catalogue.table(name) ?? this.fail(`Cannot find table '${name}'.`, at);
  }

  findMeasure(name: string): Pick<Measure, 'name'> | undefined {
    if (this.#defined.has(nameKey(name))) return { name };
    return this.catalogue.measures.get(nameKey(name));
  }

  /** A measure reference turns the surrounding row contexts into filters, as CALCULATE does. */
  measure(name: string, at: Position, environment: Environment): Scalar {
    const body = this.#measureBody(name, at);
    if (environment.scopes.length === 0) return body;
    return {
      kind: 'calculate',
      type: body.type,
      body,
      change: { rows: environment.scopes, removals: [], filters: [] },
    } satisfies Calculate;
  }

  arguments(call: Call, least: number, most: number): void {
    const few = call.args.length < least;
    if (!few && call.args.length <= most) return;
    const expected = least === most ? `exactly ${least}` : few ? `at least ${least}` : `at most ${most}`;
    this.fail(
      `Too ${few ? 'few' : 'many'} arguments were passed to the ${call.name} function. It takes ${expected}.`,
      call.at,
    );
  }

  /** Reports an unknown function before any error about where it is used. */
  requireKnown(call: Call): void {
    if (!isFunction(call.name)) this.#unknown(call);
  }

  /** An argument that must not be empty. */
  argument(call: Call, index: number): Expression {
    return call.args[index] ?? this.fail(`Argument ${index + 1} of the ${call.name} function is required.`, call.at);
  }

  /** The name of a new column, which must be a text literal. */
  columnName(call: Call, index: number): string {
    const argument = this.argument(call, index);
    if (argument.kind === 'literal' && typeof argument.value === 'string') return argument.value;
    return this.fail(
      `Argument ${index + 1} of the ${call.name} function must be the name of a column, in quotes.`,
      argument.at,
    );
  }

  fail(message: string, at: Position): never {
    throw new QueryError(message, at);
  }

  #measureBody(name: string, at: Position): Scalar {
    const key = nameKey(name);
    const known = this.#plans.get(key);
    if (known === 'being read') this.fail(`A circular dependency was detected: measure [${name}] uses itself.`, at);
    if (known !== undefined) return known;
    this.#plans.set(key, 'being read');
    const body = this.#readMeasure(key, name, at);
    this.#plans.set(key, body);
    return body;
  }

  #readMeasure(key: string, name: string, at: Position): Scalar {
    const defined = this.#defined.get(key);
    if (defined) return this.scalar(defined.expression, { ...EMPTY, home: defined.table });
    const measure = this.catalogue.measures.get(key)!;
    try {
      return this.scalar(parseMeasure(measure.expression), { ...EMPTY, home: measure.table });
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      // Positions within the measure's expression mean nothing to the author of the query, so the error gets the position of the reference.
      return this.fail(`Measure [${name}]: ${error.message}`, at);
    }
  }

  #column(reference: ColumnReference, environment: Environment): Scalar {
    const { table: tableName, name, at } = reference;
    if (tableName === undefined) return this.#unqualified(name, at, environment);
    for (const scope of environment.scopes.toReversed()) {
      const wanted = nameKey(`${tableName}[${name}]`);
      const index = scope.columns.findIndex(({ key }) => nameKey(key) === wanted);
      if (index >= 0) return { kind: 'scope column', type: scope.columns[index]!.type, scope, index };
    }
    const table = this.modelTable(tableName, at);
    const column = table.column(name);
    if (!column) {
      if (this.findMeasure(name)) return this.measure(name, at, environment);
      return this.#unknownColumn(name, table, at);
    }
    return this.fail(
      `A single value for column '${column.name}' in table '${table.name}' cannot be determined. This can happen when a formula refers to a column that contains many values without an aggregation such as min, max, count, or sum.`,
      at,
    );
  }

  #unqualified(name: string, at: Position, environment: Environment): Scalar {
    const wanted = nameKey(name);
    for (const scope of environment.scopes.toReversed()) {
      const index = scope.columns.findIndex((column) => nameKey(column.name) === wanted);
      if (index >= 0) return { kind: 'scope column', type: scope.columns[index]!.type, scope, index };
    }
    if (this.findMeasure(name)) return this.measure(name, at, environment);
    return this.fail(
      `The value for '${name}' cannot be determined. Either the column doesn't exist, or there is no current row for this column.`,
      at,
    );
  }

  #unknownColumn(name: string, table: Table, at: Position): never {
    return this.fail(
      `Column '${name}' in table '${table.name}' cannot be found or may not be used in this expression.`,
      at,
    );
  }

  #name({ name, quoted, at }: NameReference, environment: Environment): Scalar | TablePlan {
    const binding = quoted ? undefined : environment.variables.get(nameKey(name));
    if (binding) return referenceTo(binding);
    const table = this.catalogue.table(name);
    if (table) return baseTable(table);
    if (quoted) return this.fail(`Cannot find table '${name}'.`, at);
    return this.fail(`Failed to resolve name '${name}'. It is not a valid table, variable, or function name.`, at);
  }

  #call(call: Call, environment: Environment): Scalar | TablePlan {
    const form = formOf(call.name);
    if (form) return form(this, call, environment);
    const known = scalarFunction(call.name);
    if (known) return bindFunction(this, known, call, environment);
    if (isModifier(call.name))
      this.fail(
        `The ${call.name} function can only be used as an argument of a function that changes filters, such as CALCULATE.`,
        call.at,
      );
    return this.#unknown(call);
  }

  #unknown({ name, at }: Call): never {
    // TRUE and FALSE without arguments are literals, so here they have arguments.
    if (name === 'TRUE' || name === 'FALSE')
      this.fail(`Too many arguments were passed to the ${name} function. It takes none.`, at);
    return this.fail(`Function ${name} is not supported.`, at);
  }

  #let({ variables, body }: Let, environment: Environment): Scalar | TablePlan {
    let inner = environment;
    const bindings: Binding[] = [];
    for (const variable of variables) {
      const binding = this.bindVariable(variable.name, variable.value, variable.at, inner);
      bindings.push(binding);
      inner = withVariable(inner, binding);
    }
    const result = this.value(body, inner);
    if (isTable(result)) return { kind: 'table let', bindings, body: result, columns: result.columns, base: undefined };
    return result.kind === 'constant' ? result : { kind: 'scalar let', type: result.type, bindings, body: result };
  }

  bindVariable(name: string, value: Expression, at: Position, environment: Environment): Binding {
    if (this.catalogue.table(name))
      this.fail(`'${name}' is the name of a table and cannot be the name of a variable.`, at);
    if (isReserved(name)) this.fail(`The syntax for '${name}' is incorrect.`, at);
    return { name, value: this.value(value, environment) };
  }

  #constructed({ rows }: TableConstructor, environment: Environment): TablePlan {
    const values = rows.map((row) => row.map((each) => this.scalar(each, environment)));
    const width = values[0]!.length;
    const columns = values[0]!.map((_, i) => {
      const type = columnType(values.map((row) => row[i]!.type));
      return newColumn(width === 1 ? 'Value' : `Value${i + 1}`, { type });
    });
    return { kind: 'constructed', rows: values, columns, base: undefined };
  }
}
