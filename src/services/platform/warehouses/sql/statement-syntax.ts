import type { Place } from './problem.ts';
import type { Expression, Query, Source, TableName } from './syntax.ts';
import type { SqlType } from './types.ts';

/** Syntax trees of statements other than queries. */
export type SqlStatement =
  | QueryStatement
  | Insert
  | Update
  | Delete
  | Merge
  | Truncate
  | Definition
  | Alteration
  | Grant
  | Show
  | Describe
  | Use;

export interface QueryStatement {
  readonly is: 'query';
  readonly query: Query;
}

/** The name of an object in the catalog. */
export interface ObjectName {
  readonly parts: readonly string[];
  readonly at: Place;
}

export interface Insert {
  readonly is: 'insert';
  readonly table: ObjectName;
  readonly overwrite: boolean;
  /** Absent: all columns, in their order. */
  readonly columns?: readonly string[];
  /** Matches columns of the query with those of the table by name. */
  readonly byName: boolean;
  readonly query: Query;
}

export interface Assignment {
  /** The name of a column, optionally qualified by the table. */
  readonly column: readonly string[];
  readonly value: Expression;
  readonly at: Place;
}

export interface Update {
  readonly is: 'update';
  readonly table: TableName;
  readonly sets: readonly Assignment[];
  readonly where: Expression | undefined;
}

export interface Delete {
  readonly is: 'delete';
  readonly table: TableName;
  readonly where: Expression | undefined;
}

export interface Merge {
  readonly is: 'merge';
  readonly target: TableName;
  readonly source: Source;
  readonly on: Expression;
  readonly clauses: readonly MergeClause[];
}

export interface MergeClause {
  readonly when: 'matched' | 'notMatched' | 'notMatchedBySource';
  readonly and: Expression | undefined;
  readonly action:
    | { readonly is: 'delete' }
    /** `all`: sets every column to the source column with the same name. */
    | { readonly is: 'update'; readonly all: boolean; readonly sets: readonly Assignment[] }
    | { readonly is: 'insert'; readonly all: boolean; readonly sets: readonly Assignment[] };
}

export interface Truncate {
  readonly is: 'truncate';
  readonly table: ObjectName;
}

export interface ColumnDefinition {
  readonly name: string;
  readonly type: SqlType;
  readonly nullable: boolean;
  readonly comment?: string;
  /** The text of the expression. */
  readonly default?: string;
}

export type Properties = Readonly<Record<string, string>>;

/** Members of all definitions. */
interface Defining {
  readonly name: ObjectName;
  readonly ifNotExists: boolean;
  readonly comment?: string;
  readonly properties?: Properties;
  readonly location?: string;
}

export interface CreateTable extends Defining {
  readonly is: 'createTable';
  readonly replace: boolean;
  readonly columns: readonly ColumnDefinition[];
  readonly partitions: readonly string[];
  readonly format?: string;
  readonly query?: Query;
  readonly like?: ObjectName;
  /** `CHECK` constraints by name. */
  readonly checks: Properties;
  readonly primaryKey?: { readonly name: string | undefined; readonly columns: readonly string[] };
}

export interface CreateView extends Defining {
  readonly is: 'createView';
  readonly replace: boolean;
  readonly columns: readonly { readonly name: string; readonly comment?: string }[];
  readonly query: Query;
  /** The text of the query. */
  readonly text: string;
}

export interface CreateContainer extends Defining {
  readonly is: 'createSchema' | 'createCatalog' | 'createVolume';
  /** Only for volumes. */
  readonly external: boolean;
}

export interface Drop {
  readonly is: 'drop';
  readonly kind: 'catalog' | 'schema' | 'table' | 'view' | 'volume' | 'function';
  readonly name: ObjectName;
  readonly ifExists: boolean;
  readonly cascade: boolean;
}

export type Definition = CreateTable | CreateView | CreateContainer | Drop;

export interface Alteration {
  readonly is: 'alter';
  readonly kind: 'catalog' | 'schema' | 'table' | 'view' | 'volume';
  readonly name: ObjectName;
  readonly change: Change;
}

export type Change =
  | { readonly is: 'addColumns'; readonly columns: readonly ColumnDefinition[]; readonly ifNotExists: boolean }
  | { readonly is: 'dropColumns'; readonly names: readonly string[]; readonly ifExists: boolean }
  | { readonly is: 'renameColumn'; readonly from: string; readonly to: string }
  | { readonly is: 'alterColumn'; readonly name: string; readonly to: ColumnChange }
  | { readonly is: 'rename'; readonly to: ObjectName }
  | { readonly is: 'setProperties'; readonly properties: Properties }
  | { readonly is: 'unsetProperties'; readonly names: readonly string[]; readonly ifExists: boolean }
  | { readonly is: 'setOwner'; readonly owner: string }
  | { readonly is: 'addCheck'; readonly name: string; readonly check: string }
  | { readonly is: 'dropConstraint'; readonly name: string; readonly ifExists: boolean }
  | { readonly is: 'setQuery'; readonly query: Query; readonly text: string }
  /** `null` removes the comment; `column`: the comment of one column. */
  | { readonly is: 'comment'; readonly comment: string | null; readonly column?: string };

export type ColumnChange =
  | { readonly is: 'comment'; readonly comment: string }
  | { readonly is: 'nullable'; readonly nullable: boolean }
  | { readonly is: 'default'; readonly default: string | undefined }
  | { readonly is: 'type'; readonly type: SqlType };

export interface Grant {
  readonly is: 'grant';
  readonly revokes: boolean;
  /** By the names of the API: `USE_SCHEMA`. */
  readonly privileges: readonly string[];
  readonly on: GrantedOn;
  readonly principal: string;
}

export interface GrantedOn {
  readonly type: string;
  readonly name: ObjectName;
}

export interface Show {
  readonly is: 'show';
  readonly what:
    | 'catalogs'
    | 'schemas'
    | 'tables'
    | 'views'
    | 'volumes'
    | 'columns'
    | 'createTable'
    | 'properties'
    | 'grants';
  /** The object to show, or the container to list. */
  readonly of?: ObjectName;
  readonly like?: string;
  /** Only for grants. */
  readonly on?: GrantedOn;
  readonly principal?: string;
}

export interface Describe {
  readonly is: 'describe';
  readonly what: 'table' | 'history' | 'detail' | 'schema' | 'catalog' | 'volume';
  readonly name: ObjectName;
  readonly extended: boolean;
  /** One column of a table. */
  readonly column?: string;
}

/** Each request is a separate session: `USE` has no effect on the next request, but fails if the catalog or schema does not exist. */
export interface Use {
  readonly is: 'use';
  readonly kind: 'catalog' | 'schema';
  readonly name: ObjectName;
}
