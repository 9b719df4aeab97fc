import type { ColumnType } from '../../../kernel/store/index.ts';
import type { Model, ModelColumn, ModelTable } from './model.ts';
import type { ScalarType } from './scalar/types.ts';

/** A table of the model with its columns and relationships. Names are matched case-insensitively. */
export class Table {
  readonly name: string;
  readonly storage: string;
  readonly columns: readonly Column[];
  /** Relationships to tables on the one side of this table, and from tables on its many side. */
  readonly parents: Relationship[] = [];
  readonly children: Relationship[] = [];
  readonly #byName: ReadonlyMap<string, Column>;

  constructor({ name, storage, columns }: ModelTable) {
    this.name = name;
    this.storage = storage;
    this.columns = columns.map((column) => new Column(this, column));
    this.#byName = new Map(this.columns.map((column) => [nameKey(column.name), column]));
  }

  column(name: string): Column | undefined {
    return this.#byName.get(nameKey(name));
  }
}

export class Column {
  readonly table: Table;
  readonly name: string;
  readonly storage: string;
  readonly stored: ColumnType;
  readonly type: ScalarType;

  constructor(table: Table, { name, storage, type }: ModelColumn) {
    this.table = table;
    this.name = name;
    this.storage = storage;
    this.stored = type;
    this.type = SCALAR_TYPES[type];
  }
}

export interface Relationship {
  readonly name: string;
  readonly from: Column;
  readonly to: Column;
  readonly both: boolean;
}

export interface Measure {
  readonly name: string;
  readonly table: Table;
  readonly expression: string;
}

export const SCALAR_TYPES: Readonly<Record<ColumnType, ScalarType>> = {
  int64: 'int',
  decimal: 'decimal',
  double: 'double',
  boolean: 'boolean',
  datetime: 'date',
  text: 'text',
};

/** Names are case-insensitive. */
export const nameKey = (name: string): string => name.toLowerCase();

/** A model with its names resolved. */
export class Catalogue {
  readonly tables: readonly Table[];
  readonly relationships: readonly Relationship[];
  readonly measures: ReadonlyMap<string, Measure>;
  readonly #byName: ReadonlyMap<string, Table>;

  constructor(model: Model) {
    this.tables = model.tables.map((table) => new Table(table));
    this.#byName = new Map(this.tables.map((table) => [nameKey(table.name), table]));
    this.relationships = model.relationships.map(({ name, from, to, both }) => ({
      name,
      from: this.#place(from.table, from.column),
      to: this.#place(to.table, to.column),
      both,
    }));
    for (const relationship of this.relationships) {
      relationship.from.table.parents.push(relationship);
      relationship.to.table.children.push(relationship);
    }
    this.measures = new Map(
      model.tables.flatMap((each, i) =>
        each.measures.map(({ name, expression }) => [nameKey(name), { name, table: this.tables[i]!, expression }]),
      ),
    );
  }

  table(name: string): Table | undefined {
    return this.#byName.get(nameKey(name));
  }

  #place(tableName: string, columnName: string): Column {
    const column = this.table(tableName)?.column(columnName);
    if (!column) throw new Error(`the model has no column ${tableName}[${columnName}]`);
    return column;
  }
}
