import { foldText, keyColumn } from '../../../../kernel/store/index.ts';
import type { Column, Table } from '../catalogue.ts';
import { QueryError } from '../errors.ts';
import { Paths } from '../paths.ts';
import type { Binding, Scalar, TablePlan } from '../plan/types.ts';
import { convert } from '../scalar/conversions.ts';
import type { ScalarType } from '../scalar/types.ts';
import { aggregate } from './aggregates.ts';
import { condition } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import type { ContextFilter, Environment, ScalarSql } from './environment.ts';
import { Parameters } from './parameters.ts';
import { Aliases, hasKey, quoted, type Relation, type RelationColumn, Scan, Source, tailOf } from './relation.ts';
import { scalar } from './scalars.ts';
import { scanBase } from './scans.ts';
import { table } from './tables.ts';
import { visibility } from './visibility.ts';

/** Includes the steps of discarded attempts. */
const MOST_STEPS = 50_000;
const LONGEST_SQL = 2_000_000;

export interface ScanOptions {
  /** Includes the blank row for keys of other tables without a match here. */
  readonly blankRow: boolean;
}

interface DerivedScanOptions {
  readonly distinct?: boolean;
  /** An additional column and the condition on its value. */
  readonly place?: { readonly sql: string; isAmong(value: string): string };
}

/** Compiles a plan to SQL. Holds the state of one statement; the rules for each kind of plan are in the neighbouring files. */
export class Compiler {
  readonly dialect: Dialect;
  readonly paths = new Paths();
  readonly parameters = new Parameters();
  readonly aliases = new Aliases();
  readonly sqlName: (storage: string) => string;
  #steps = 0;

  constructor(dialect: Dialect, sqlName: (storage: string) => string) {
    this.dialect = dialect;
    this.sqlName = sqlName;
  }

  scalar(plan: Scalar, environment: Environment): ScalarSql {
    this.#count();
    const result = plan.kind === 'aggregate' ? aggregate(this, plan, environment) : scalar(this, plan, environment);
    this.bound(result.sql);
    return result;
  }

  /** True exactly when the value is `wanted`. */
  condition(plan: Scalar, environment: Environment, wanted = true): string {
    this.#count();
    return condition(this, plan, environment, wanted);
  }

  table(plan: TablePlan, environment: Environment): Relation {
    this.#count();
    return table(this, plan, environment);
  }

  bound(sql: string): void {
    if (sql.length > LONGEST_SQL) throw new QueryError('The query is too complex.');
  }

  /** The rows of a table that pass the filters. */
  scan(
    of: Table,
    filters: readonly ContextFilter[],
    options: ScanOptions = { blankRow: false },
  ): Relation & { readonly scan: Scan } {
    const scan = this.newScan(of, options);
    return { ...this.ofScan(scan), where: visibility(this, scan, filters), scan };
  }

  newScan(of: Table, { blankRow }: ScanOptions): Scan {
    const source = new Source('', this.aliases);
    const alias = this.aliases.next('t');
    const mayLack = blankRow && of.children.length > 0;
    source.base = `${mayLack ? scanBase(this, of) : this.sqlName(of.storage)} ${alias}`;
    return new Scan(of, alias, source, mayLack, { aliases: this.aliases, sqlName: this.sqlName });
  }

  ofScan(scan: Scan): Relation {
    const { source, table: of } = scan;
    return { source, where: [], columns: of.columns.map((column) => scan.own(column)), scan };
  }

  visibility(scan: Scan, filters: readonly ContextFilter[]): string[] {
    return visibility(this, scan, filters);
  }

  /** A column of the scanned table, or of a table on its one side. */
  columnAt(scan: Scan, column: Column): RelationColumn {
    const path = this.paths.upward(scan.table, column.table);
    if (!path) throw new Error(`${scan.table.name} does not reach ${column.table.name}`);
    return scan.at(path).own(column);
  }

  /** The relation's column for a model column, or the column of a table that its scan reaches. */
  lineageColumn({ columns, scan }: Relation, column: Column): RelationColumn {
    const found = columns.find(({ lineage }) => lineage === column);
    if (found) return found;
    if (!scan) throw new Error(`no column ${column.table.name}[${column.name}] here`);
    return this.columnAt(scan, column);
  }

  /** A relation with one row of the given values. */
  single(columns: readonly RelationColumn[]): Relation {
    const source = new Source('', this.aliases);
    source.base = `(SELECT 1 AS one) ${source.own(this.aliases.next('o'))}`;
    return { source, where: [], columns, scan: undefined };
  }

  /** The relation as a subquery in FROM, so that its values have names. */
  derived(relation: Relation, { distinct = false, prefix = '' } = {}): Relation {
    const select = relation.columns.map((column, i) => {
      const { value, key } = column;
      if (!hasKey(column)) return `${value} AS v_${i}`;
      return `${distinct ? `min(${value})` : value} AS v_${i}, ${key} AS k_${i}`;
    });
    const keys = relation.columns.map(({ key }) => key);
    const grouping = distinct && keys.length > 0 ? ` GROUP BY ${keys.join(', ')}` : '';
    const text = `${prefix}SELECT ${select.join(', ') || '1 AS one'}${tailOf(relation)}${grouping}`;
    return this.fromStatement(text, relation.columns);
  }

  /** Rows of a model table selected by more than a condition; the result can still join the tables on its one side. */
  derivedScan(of: Table, relation: Relation, { distinct = false, place }: DerivedScanOptions): Relation {
    const select = relation.columns.map((column, i) => {
      const { value, key } = column;
      const { storage, stored } = of.columns[i]!;
      if (!hasKey(column)) return `${value} AS ${quoted(storage)}`;
      const shown = distinct ? `min(${value})` : value;
      return `${shown} AS ${quoted(storage)}, ${key} AS ${quoted(keyColumn({ name: storage, type: stored }))}`;
    });
    if (place) select.push(`${place.sql} AS place`);
    const keys = relation.columns.map(({ key }) => key);
    const grouping = distinct ? ` GROUP BY ${keys.join(', ')}` : '';
    const text = `SELECT ${select.join(', ')}${tailOf(relation)}${grouping}`;
    this.bound(text);
    const source = new Source('', this.aliases);
    const alias = this.aliases.next('t');
    source.base = `(${text}) ${alias}`;
    const scan = new Scan(of, alias, source, false, { aliases: this.aliases, sqlName: this.sqlName });
    return { ...this.ofScan(scan), where: place ? [place.isAmong(`${alias}.place`)] : [] };
  }

  /** The result of a statement whose columns are named `v_0`, `k_0`, `v_1` and so on. */
  fromStatement(text: string, columns: readonly RelationColumn[]): Relation {
    this.bound(text);
    const source = new Source('', this.aliases);
    const alias = source.own(this.aliases.next('d'));
    source.base = `(${text}) ${alias}`;
    const named = columns.map((column, i) => {
      const value = `${alias}.v_${i}`;
      return { ...column, value, key: hasKey(column) ? `${alias}.k_${i}` : value };
    });
    return { source, where: [], columns: named, scan: undefined };
  }

  /** The distinct values of some columns of a scan. */
  distinctOf(relation: Relation & { readonly scan: Scan }, columns: readonly Column[]): Relation {
    const chosen = columns.map((column) => this.columnAt(relation.scan, column));
    return this.derived({ ...relation, columns: chosen }, { distinct: true });
  }

  tableOf({ name, value }: Binding): TablePlan {
    if ('columns' in value) return value;
    throw new Error(`variable ${name} is not a table`);
  }

  converted(value: ScalarSql, type: ScalarType): ScalarSql {
    if (value.type === type || type === 'blank') return value;
    if (value.type === 'blank') return { ...value, sql: this.parameters.add(type, null), type };
    return { sql: convert(value, type, this.dialect.engine).sql, type, nullable: value.nullable, strict: value.strict };
  }

  fold(text: string): string {
    return foldText(text);
  }

  /** The SQL by which a value is compared. */
  keyOf({ sql, key, type }: ScalarSql): string {
    if (key !== undefined) return key;
    if (type === 'variant') return this.dialect.call('dax_variant_key', sql);
    return type === 'text' ? this.dialect.call('fold', sql) : sql;
  }

  /** The SQL by which a value is sorted. */
  orderOf(value: ScalarSql): string {
    if (value.type === 'variant') return this.dialect.byBytes(this.dialect.call('dax_variant_order', value.sql));
    return value.type === 'text' ? this.dialect.byBytes(this.keyOf(value)) : this.keyOf(value);
  }

  columnOf(value: ScalarSql, lineage?: Column): RelationColumn {
    return { value: value.sql, key: this.keyOf(value), type: value.type === 'blank' ? 'int' : value.type, lineage };
  }

  #count(): void {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) throw new QueryError('The query is too complex.');
  }
}
