import type { ColumnType } from '../../../kernel/store/index.ts';

/**
 * The model that queries run on: the tables of a dataset with their measures and relationships. Names keep the spelling of the dataset's
 * author.
 */
export interface Model {
  readonly tables: readonly ModelTable[];
  readonly relationships: readonly ModelRelationship[];
}

export interface ModelTable {
  readonly name: string;
  /** Name of the typed table that stores the rows. */
  readonly storage: string;
  readonly columns: readonly ModelColumn[];
  readonly measures: readonly ModelMeasure[];
}

export interface ModelColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Name of the column in the typed table. */
  readonly storage: string;
}

export interface ModelMeasure {
  readonly name: string;
  readonly expression: string;
}

/** Many rows of `from` have the key of one row of `to`. Filters flow from the one side to the many side, and also back if `both` is set. */
export interface ModelRelationship {
  readonly name: string;
  readonly from: ColumnPlace;
  readonly to: ColumnPlace;
  readonly both: boolean;
}

/** Names of a table and of one of its columns, in the model's spelling. */
export interface ColumnPlace {
  readonly table: string;
  readonly column: string;
}
