import type { Column, Row } from './bound.ts';
import type { Place } from './problem.ts';
import type { Session } from './session.ts';
import type { Query } from './syntax.ts';
import type { SqlValue } from './types.ts';

/** The tables and views that statements can name. */
export interface Relations {
  /** Throws `SqlProblem` if the relation does not exist or the user may not read it. */
  open(name: RelationName): Promise<Relation>;
}

export interface RelationName {
  readonly parts: readonly string[];
  readonly at: Place;
  /** Time travel: the number of a version, or a time in milliseconds. */
  readonly version?: number;
  readonly timestamp?: number;
}

export type Relation = StoredRelation | ViewRelation;

export interface StoredRelation {
  readonly is: 'table';
  /** Catalog, schema and name. */
  readonly path: readonly string[];
  readonly columns: readonly Pick<Column, 'name' | 'type'>[];
  /** Rows in batches of some thousand. Cells of columns that are not needed are null. */
  read(wish: ReadRequest): AsyncIterable<readonly Row[]>;
}

export interface ReadRequest {
  /** Indexes of the needed columns. */
  readonly needed: ReadonlySet<number>;
  /** Conditions that must all hold: rows that do not satisfy them may be left out. */
  readonly bounds: readonly ColumnBound[];
}

/** `column op value`, in a form that the statistics of files can decide. */
export interface ColumnBound {
  readonly column: number;
  readonly op: '=' | '<' | '<=' | '>' | '>=';
  readonly value: Exclude<SqlValue, null>;
}

export interface ViewRelation {
  readonly is: 'view';
  readonly path: readonly string[];
  readonly columns: readonly string[];
  readonly query: Query;
  /** Session with the catalog, the schema and the permissions of the view. */
  readonly session: Session;
}
