import type { Place } from './problem.ts';
import type { SqlType, SqlValue } from './types.ts';

/** Syntax trees of queries and expressions. */
export type Expression =
  | { readonly is: 'literal'; readonly type: SqlType; readonly value: SqlValue; readonly shown: string }
  | {
      readonly is: 'column';
      readonly parts: readonly string[];
      readonly at: Place;
      /** Its index among the columns, set by the expansion of `*`, where names could be ambiguous. */
      readonly index?: number;
    }
  /** Its name, or the number of a positional parameter. */
  | { readonly is: 'parameter'; readonly name: string | number; readonly at: Place }
  | { readonly is: 'negative' | 'not'; readonly of: Expression }
  | { readonly is: 'binary'; readonly op: BinaryOp; readonly left: Expression; readonly right: Expression }
  | { readonly is: 'isNull'; readonly of: Expression; readonly not: boolean }
  | { readonly is: 'in'; readonly of: Expression; readonly list: readonly Expression[]; readonly not: boolean }
  | {
      readonly is: 'like';
      readonly of: Expression;
      readonly pattern: Expression;
      readonly not: boolean;
      readonly ignoreCase: boolean;
    }
  | { readonly is: 'between'; readonly of: Expression; readonly low: Expression; readonly high: Expression }
  | {
      readonly is: 'case';
      /** The value that the conditions are compared with, if given. */
      readonly of: Expression | undefined;
      readonly whens: readonly When[];
      readonly otherwise: Expression | undefined;
    }
  | { readonly is: 'cast'; readonly of: Expression; readonly type: SqlType; readonly isTry: boolean }
  | {
      readonly is: 'call';
      readonly name: string;
      readonly args: readonly Expression[];
      /** `count(*)` */
      readonly star: boolean;
      readonly distinct: boolean;
      readonly at: Place;
    }
  /** A scalar subquery. */
  | { readonly is: 'subquery'; readonly query: Query; readonly at: Place }
  | { readonly is: 'exists'; readonly query: Query }
  | { readonly is: 'inQuery'; readonly of: Expression; readonly query: Query; readonly not: boolean };

export interface When {
  readonly condition: Expression;
  readonly value: Expression;
}

export type BinaryOp = '+' | '-' | '*' | '/' | '%' | '||' | '=' | '<>' | '<' | '<=' | '>' | '>=' | '<=>' | 'and' | 'or';

export type SelectItem =
  /** `*`, `t.*`, `catalog.schema.t.*` */
  | { readonly is: 'all'; readonly of: readonly string[]; readonly at: Place }
  | { readonly is: 'one'; readonly of: Expression; readonly alias: string | undefined };

export type Source =
  | { readonly is: 'nothing' }
  | TableName
  | {
      readonly is: 'query';
      readonly query: Query;
      readonly alias: string | undefined;
      readonly columns: readonly string[];
    }
  | {
      readonly is: 'range';
      readonly args: readonly Expression[];
      readonly alias: string | undefined;
      readonly at: Place;
    }
  | {
      readonly is: 'join';
      readonly kind: JoinKind;
      readonly left: Source;
      readonly right: Source;
      readonly on: Expression | undefined;
      /** The columns of `USING`; `natural`: all columns that both sides have. */
      readonly using: readonly string[] | 'natural' | undefined;
      readonly at: Place;
    };

export type JoinKind = 'inner' | 'left' | 'right' | 'full' | 'cross' | 'semi' | 'anti';

/** A table or view of the catalog, or a query named by `WITH`. */
export interface TableName {
  readonly is: 'table';
  readonly parts: readonly string[];
  readonly alias: string | undefined;
  /** Aliases of its columns. */
  readonly columns: readonly string[];
  readonly asOf?: AsOf;
  readonly at: Place;
}

/** Time travel: a version, or a time at which a version was the newest. */
export interface AsOf {
  readonly by: 'version' | 'timestamp';
  readonly of: Expression;
}

export type Body =
  | { readonly is: 'values'; readonly rows: readonly (readonly Expression[])[] }
  | {
      readonly is: 'select';
      readonly distinct: boolean;
      readonly items: readonly SelectItem[];
      readonly from: Source;
      readonly where: Expression | undefined;
      readonly groups: readonly Expression[];
      readonly having: Expression | undefined;
    }
  /** A query in parentheses, with an order and a limit of its own. */
  | { readonly is: 'nested'; readonly query: Query }
  | {
      readonly is: 'set';
      readonly op: 'union' | 'intersect' | 'except';
      readonly left: Query;
      readonly right: Query;
      readonly all: boolean;
    };

export interface Order {
  readonly of: Expression;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** A query that consists only of its body. */
export const plainQuery = (body: Body): Query => ({
  named: [],
  body,
  orders: [],
  limit: undefined,
  offset: undefined,
});

export interface Query {
  /** `WITH name AS (…)` */
  readonly named: readonly { readonly name: string; readonly columns: readonly string[]; readonly query: Query }[];
  readonly body: Body;
  readonly orders: readonly Order[];
  readonly limit: Expression | undefined;
  readonly offset: Expression | undefined;
}
