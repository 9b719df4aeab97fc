import type { ColumnType } from '../../../kernel/store/index.ts';

/** What a query is about: the tables of a dataset with their measures, and how they hang together. Names are as their owner wrote them. */
export interface Model {
  readonly tables: readonly ModelTable[];
  readonly relationships: readonly ModelRelationship[];
}

export interface ModelTable {
  readonly name: string;
  /** The name of the typed table that has its rows. */
  readonly storage: string;
  readonly columns: readonly ModelColumn[];
  readonly measures: readonly ModelMeasure[];
}

export interface ModelColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** The name of the column in the typed table. */
  readonly storage: string;
}

export interface ModelMeasure {
  readonly name: string;
  readonly expression: string;
}

/** Many rows of `from` have the key of one row of `to`. Filters flow from the one to the many, and back where `both` says so. */
export interface ModelRelationship {
  readonly name: string;
  readonly from: ColumnPlace;
  readonly to: ColumnPlace;
  readonly both: boolean;
}

/** Names of a table and of its column, in the spelling of the model. */
export interface ColumnPlace {
  readonly table: string;
  readonly column: string;
}
