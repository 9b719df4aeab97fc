import { keyColumn, NUMBER_COLUMN } from '../../../../kernel/store/index.ts';
import type { Column, Relationship, Table } from '../catalogue.ts';
import type { Path } from '../paths.ts';
import type { ScalarType } from '../scalar/types.ts';
import type { ContextFilter } from './environment.ts';

/** A column of a relation as SQL. Texts are shown by `value` and compared by `key`. */
export interface RelationColumn {
  readonly value: string;
  readonly key: string;
  readonly type: ScalarType;
  readonly lineage: Column | undefined;
}

/** Only texts and variants are compared by something other than their value. */
export const hasKey = ({ type }: Pick<RelationColumn, 'type'>): boolean => type === 'text' || type === 'variant';

/**
 * The key of the many side, converted to the stored form of the one side: fixed decimal numbers are stored in ten-thousandths. The one side
 * is not converted, because it has an index.
 */
export function asKeyOf(to: ScalarType, { key, type }: Pick<RelationColumn, 'key' | 'type'>): string {
  if (type === to || (type !== 'decimal' && to !== 'decimal')) return key;
  return type === 'decimal' ? `(${key} / 10000.0)` : `(${key} * 10000)`;
}

/** Numbered aliases for sources in FROM, in creation order: an inner alias has a greater number than the aliases around it. */
export class Aliases {
  #last = 0;

  next(letter: string): string {
    this.#last += 1;
    return `${letter}${this.#last}`;
  }

  get last(): number {
    return this.#last;
  }
}

const ALIAS = /\b[a-z](\d+)\./g;

export const aliasNumbersIn = (sql: string): number[] => [...sql.matchAll(ALIAS)].map(([, digits]) => Number(digits));

/** A join whose SQL is written only after all columns that it must provide are known. */
export interface Join {
  readonly alias: string;
  sql(): string;
}

/** The FROM clause of a statement. Joins can be added while the statement is being written. */
export class Source {
  /** Aliases after this number, up to the source's own alias, belong to this source. */
  readonly start: number;
  base: string;
  joins: Join[] = [];
  readonly #aliases = new Set<number>();

  constructor(base: string, aliases: Aliases) {
    this.base = base;
    this.start = aliases.last;
  }

  own(alias: string): string {
    this.#aliases.add(Number(alias.slice(1)));
    return alias;
  }

  owns(number: number): boolean {
    return this.#aliases.has(number);
  }

  join(join: Join): void {
    this.own(join.alias);
    this.joins.push(join);
  }

  sql(): string {
    return [this.base, ...this.joins.map((join) => join.sql())].join(' ');
  }
}

/** A compiled table expression: rows with columns. */
export interface Relation {
  readonly source: Source;
  readonly where: readonly string[];
  readonly columns: readonly RelationColumn[];
  /** Set if the rows are rows of a model table. */
  readonly scan: Scan | undefined;
  /** Filters that selected the rows. An aggregate without one of these filters can have groups that the relation does not have. */
  readonly confinedBy?: readonly ContextFilter[];
}

/** The part of a statement after the select list. */
export function tailOf({ source, where }: Pick<Relation, 'source' | 'where'>, extra: readonly string[] = []): string {
  const conditions = [...where, ...extra];
  return ` FROM ${source.sql()}${conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''}`;
}

export const quoted = (name: string): string => `"${name}"`;

/** A scan of a model table. Tables on its one side are joined when first needed. */
export class Scan {
  readonly table: Table;
  readonly alias: string;
  readonly source: Source;
  /** True if the scan can have a row of NULLs: the blank row, or a row without a match in a joined table. */
  readonly mayLack: boolean;
  readonly #parents = new Map<Relationship, { readonly scan: Scan; readonly join: Join }>();
  readonly #aliases: Aliases;
  readonly #sqlName: (storage: string) => string;

  constructor(
    table: Table,
    alias: string,
    source: Source,
    mayLack: boolean,
    naming: { readonly aliases: Aliases; readonly sqlName: (storage: string) => string },
  ) {
    this.table = table;
    this.alias = alias;
    this.source = source;
    this.mayLack = mayLack;
    this.#aliases = naming.aliases;
    this.#sqlName = naming.sqlName;
    source.own(alias);
  }

  /** A column of the table itself. */
  own(column: Column): RelationColumn {
    const key = keyColumn({ name: column.storage, type: column.stored });
    return {
      value: `${this.alias}.${quoted(column.storage)}`,
      key: `${this.alias}.${quoted(key)}`,
      type: column.type,
      lineage: column,
    };
  }

  /** The scan at the end of a chain of relationships. */
  at(path: Path): Scan {
    return path.reduce<Scan>((scan, { relationship }) => scan.parent(relationship), this);
  }

  parent(relationship: Relationship): Scan {
    const known = this.#parents.get(relationship) ?? this.#joined(relationship);
    this.#parents.set(relationship, known);
    // A discarded attempt has removed its joins, so the join may have to be added again.
    if (!this.source.joins.includes(known.join)) this.source.join(known.join);
    return known.scan;
  }

  #joined(relationship: Relationship): { readonly scan: Scan; readonly join: Join } {
    const alias = this.#aliases.next('p');
    const { from, to } = relationship;
    const naming = { aliases: this.#aliases, sqlName: this.#sqlName };
    const scan = new Scan(to.table, alias, this.source, true, naming);
    const on = `${scan.own(to).key} = ${asKeyOf(to.type, this.own(from))}`;
    const text = `LEFT JOIN ${this.#sqlName(to.table.storage)} ${alias} ON ${on}`;
    return { scan, join: { alias, sql: () => text } };
  }

  /** A condition that is true for rows that exist in the table; undefined if all rows do. */
  get existsCondition(): string | undefined {
    return this.mayLack ? `${this.alias}.${quoted(NUMBER_COLUMN)} IS NOT NULL` : undefined;
  }
}
