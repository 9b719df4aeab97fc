import { afterAll, beforeEach, describe, type TestContext } from 'vitest';
import type { Cell, ColumnType, Store } from '../../../../../src/kernel/store/index.ts';
import { openPostgres } from '../../../../../src/kernel/store/postgres/store.ts';
import { openSqlite } from '../../../../../src/kernel/store/sqlite/store.ts';
import { type ScalarFunction, scalarFunction } from '../../../../../src/services/datasets/language/scalar/functions.ts';
import { SCALAR_LIBRARY } from '../../../../../src/services/datasets/language/scalar/library.ts';
import type { Engine, Operand, ScalarType } from '../../../../../src/services/datasets/language/scalar/types.ts';
import { useEmptyDatabase } from '../../../../support/use-postgres.ts';

/**
 * A value of the language: a bigint is an integer, a number a double, null is BLANK. An `absent` argument is omitted; a `word` is a
 * keyword.
 */
export type Value = bigint | number | string | boolean | null | Special;
export type Special =
  | { readonly date: number }
  | { readonly decimal: string }
  | { readonly variant: string }
  | { readonly blank: ScalarType };
export type Argument = Value | { readonly word: string } | undefined;

/** The error of an expression. */
export class Failed {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const COLUMNS: Readonly<Record<ScalarType, ColumnType>> = {
  int: 'int64',
  decimal: 'int64',
  boolean: 'int64',
  blank: 'int64',
  double: 'double',
  date: 'double',
  text: 'text',
  variant: 'text',
};
const POSTGRES_TYPES: Readonly<Record<ColumnType, string>> = {
  int64: 'bigint',
  decimal: 'bigint',
  boolean: 'bigint',
  double: 'double precision',
  datetime: 'double precision',
  text: 'text',
};
const SQLITE_TYPES: Readonly<Record<string, string>> = { int64: 'integer', double: 'real', text: 'text' };
const BOUNDS = { rows: 10, timeMs: 60_000 };
const SCALE = 10_000n;

const typed = (value: Value): { readonly type: ScalarType; readonly cell: Cell } => {
  switch (typeof value) {
    case 'bigint':
      return { type: 'int', cell: value };
    case 'number':
      return { type: 'double', cell: value };
    case 'string':
      return { type: 'text', cell: value };
    case 'boolean':
      return { type: 'boolean', cell: value ? 1n : 0n };
    default:
      if (value === null) return { type: 'blank', cell: null };
      if ('date' in value) return { type: 'date', cell: value.date };
      if ('decimal' in value) return { type: 'decimal', cell: scaled(value.decimal) };
      return 'variant' in value ? { type: 'variant', cell: value.variant } : { type: value.blank, cell: null };
  }
};

function scaled(text: string): bigint {
  const [whole = '', places = ''] = text.split('.');
  return BigInt(`${whole}${places.padEnd(4, '0')}`);
}

/** Evaluates functions of the library on one engine, in a real store. */
export class Evaluator {
  readonly engine: Engine;
  #store: Store | undefined;
  #statements = 0;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  async open(context: Pick<TestContext, 'skip'>): Promise<void> {
    if (this.#store) return;
    const options = { collections: [], report: () => {} };
    this.#store =
      this.engine === 'sqlite'
        ? await openSqlite(options)
        : await openPostgres({ ...options, url: await useEmptyDatabase(context, 'scalar') });
    await this.#store.tables.use(SCALAR_LIBRARY);
  }

  async close(): Promise<void> {
    await this.#store?.close();
  }

  async call(name: string, ...args: readonly Argument[]): Promise<Value | Failed> {
    const definition = scalarFunction(name);
    if (!definition) throw new Error(`there is no function ${name}`);
    return this.evaluate(args, (operands) => this.#callOf(definition, operands));
  }

  #callOf(definition: ScalarFunction, args: readonly (Operand | string | undefined)[]): Operand {
    const types = args.map((each) => (typeof each === 'object' ? each.type : 'blank'));
    const words = args.map((each) => (typeof each === 'string' ? each : undefined));
    return { sql: definition.sql(args, this.engine), type: definition.result(types, words) };
  }

  /**
   * Evaluates an expression twice, with simple arguments and with complex ones, because the two produce different SQL. Both results must be
   * equal.
   */
  async evaluate(
    args: readonly Argument[],
    expression: (operands: readonly (Operand | string | undefined)[]) => Operand,
  ): Promise<Value | Failed> {
    const simple = await this.#select(args, expression, (sql) => sql);
    const computed = await this.#select(args, expression, (sql) => `coalesce(${sql}, ${sql})`);
    if (!same(simple, computed)) throw new Error(`${show(simple)} by simple arguments, else ${show(computed)}`);
    return simple;
  }

  /** The first cell of the result. */
  async sql(text: string, type: ColumnType, values: readonly Cell[] = []): Promise<Cell | Failed> {
    return this.#run(async () => (await this.#cells(text, [type], values))[0] ?? null);
  }

  async #select(
    args: readonly Argument[],
    expression: (operands: readonly (Operand | string | undefined)[]) => Operand,
    wrap: (sql: string) => string,
  ): Promise<Value | Failed> {
    const values: Cell[] = [];
    const operands = args.map((arg): Operand | string | undefined => {
      if (arg === undefined) return undefined;
      if (typeof arg === 'object' && arg !== null && 'word' in arg) return arg.word;
      const { type, cell } = typed(arg);
      const position = values.push(cell);
      return { type, sql: type === 'blank' ? 'NULL' : wrap(this.#placeholder(position, COLUMNS[type])) };
    });
    const { sql, type } = expression(operands);
    const column = COLUMNS[type];
    const kind = this.engine === 'sqlite' ? `typeof(value)` : `pg_typeof(value)::text`;
    // Every parameter is referenced, because PostgreSQL must know all their types.
    const used = values.map((_, i) => `${this.#placeholder(i + 1, 'text')} IS NULL`).join(' AND ');
    const statement = `SELECT value, ${kind} FROM (SELECT ${sql} AS value) AS result${used === '' ? '' : ` WHERE (${used}) IS NOT NULL`}`;
    return this.#run(async () => {
      const [cell, actual] = await this.#cells(statement, [column, 'text'], values);
      const wanted = this.engine === 'sqlite' ? SQLITE_TYPES[column] : POSTGRES_TYPES[column];
      if (cell !== null && actual !== wanted) throw new Error(`${sql} has type ${actual} and not ${wanted}`);
      return readValue(cell ?? null, type);
    });
  }

  async #cells(text: string, columns: readonly ColumnType[], values: readonly Cell[]): Promise<readonly Cell[]> {
    // Each statement is unique, because a failed statement is not run again.
    const unique = `${text} /* ${++this.#statements} */`;
    const { rows } = await this.#store!.tables.select({ text: unique, values, columns }, BOUNDS);
    return rows[0]!;
  }

  async #run<T>(action: () => Promise<T>): Promise<T | Failed> {
    try {
      return await action();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'STATEMENT') return new Failed(error.message);
      throw error;
    }
  }

  #placeholder(position: number, type: ColumnType): string {
    return this.engine === 'sqlite' ? `?${position}` : `$${position}::${POSTGRES_TYPES[type]}`;
  }
}

function readValue(cell: Cell, type: ScalarType): Value {
  if (cell === null) return null;
  switch (type) {
    case 'int':
      return BigInt(cell);
    case 'decimal':
      return { decimal: decimalText(BigInt(cell)) };
    case 'boolean':
      return BigInt(cell) === 1n;
    case 'double':
      return Number(cell) + 0;
    case 'date':
      return { date: Number(cell) + 0 };
    case 'variant':
      return { variant: String(cell) };
    default:
      return String(cell);
  }
}

function decimalText(units: bigint): string {
  const size = units < 0n ? -units : units;
  const places = String(size % SCALE)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${size / SCALE}${places === '' ? '' : `.${places}`}`;
}

export function show(value: Argument | Failed): string {
  if (value instanceof Failed) return `error "${value.message}"`;
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  return JSON.stringify(value) ?? '';
}

export const same = (a: Value | Failed, b: Value | Failed): boolean => show(a) === show(b);

/** Runs tests on both engines. */
export function onBothEngines(title: string, tests: (evaluator: Evaluator) => void): void {
  for (const engine of ['sqlite', 'postgres'] as const) {
    describe(`${engine}: ${title}`, () => {
      const evaluator = new Evaluator(engine);
      // Opened with the first test, because only a test can be skipped if no server is available.
      beforeEach(({ skip }) => evaluator.open({ skip }));
      afterAll(() => evaluator.close());
      tests(evaluator);
    });
  }
}
