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

/** Only texts, and values of any type, are compared by something else than their value. */
export const hasKey = ({ type }: Pick<RelationColumn, 'type'>): boolean => type === 'text' || type === 'variant';

/**
 * The key on the many side of a relationship as the one side keeps such values: fixed decimal numbers are kept in ten-thousandths. The one side stays as it is,
 * since it has an index.
 */
export function asKeyOf(to: ScalarType, { key, type }: Pick<RelationColumn, 'key' | 'type'>): string {
  if (type === to || (type !== 'decimal' && to !== 'decimal')) return key;
  return type === 'decimal' ? `(${key} / 10000.0)` : `(${key} * 10000)`;
}

/** Names for what stands behind FROM, in the order in which they are made: an inner one has a greater number than those around it. */
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

/** A join that is written when everything that it has to bring is known. */
export interface Join {
  readonly alias: string;
  sql(): string;
}

/** What stands behind FROM. It can grow as long as its statement is being written. */
export class Source {
  /** Aliases with greater numbers, up to its own, are this source's. */
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

/** Rows with columns: what a table expression becomes. */
export interface Relation {
  readonly source: Source;
  readonly where: readonly string[];
  readonly columns: readonly RelationColumn[];
  /** Set where its rows are those of a table of the model. */
  readonly scan: Scan | undefined;
  /** Filters that have chosen its rows: an aggregate without them can have rows that the relation does not have. */
  readonly confinedBy?: readonly ContextFilter[];
}

/** The parts of a statement behind what it selects. */
export function tailOf({ source, where }: Pick<Relation, 'source' | 'where'>, extra: readonly string[] = []): string {
  const conditions = [...where, ...extra];
  return ` FROM ${source.sql()}${conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''}`;
}

export const quoted = (name: string): string => `"${name}"`;

/** A table of the model in a statement, and the tables on its one side as far as they are needed: they are joined when first asked for. */
export class Scan {
  readonly table: Table;
  readonly alias: string;
  readonly source: Source;
  /** Whether there can be a row without values: the blank row, or that of a table that was joined. */
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

  /** The scan that a chain of relationships leads to. */
  at(path: Path): Scan {
    return path.reduce<Scan>((scan, { relationship }) => scan.parent(relationship), this);
  }

  parent(relationship: Relationship): Scan {
    const known = this.#parents.get(relationship) ?? this.#joined(relationship);
    this.#parents.set(relationship, known);
    // An attempt that failed has taken its joins with it.
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

  /** True for rows that are in the table; undefined where all are. */
  get isThere(): string | undefined {
    return this.mayLack ? `${this.alias}.${quoted(NUMBER_COLUMN)} IS NOT NULL` : undefined;
  }
}
