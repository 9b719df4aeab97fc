import type { Place } from './problem.ts';
import type { SqlType, SqlValue } from './types.ts';

/** Statements as they are parsed. */
export type Expression =
  | { readonly is: 'literal'; readonly type: SqlType; readonly value: SqlValue; readonly shown: string }
  | { readonly is: 'column'; readonly parts: readonly string[]; readonly at: Place }
  /** Its name, or which of the nameless ones it is. */
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
      /** What the conditions are compared with, where it is given. */
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
    };

export interface When {
  readonly condition: Expression;
  readonly value: Expression;
}

export type BinaryOp = '+' | '-' | '*' | '/' | '%' | '||' | '=' | '<>' | '<' | '<=' | '>' | '>=' | '<=>' | 'and' | 'or';

export type SelectItem =
  | { readonly is: 'all'; readonly of: string | undefined; readonly at: Place }
  | { readonly is: 'one'; readonly of: Expression; readonly alias: string | undefined };

export type Source =
  | { readonly is: 'nothing' }
  | { readonly is: 'table'; readonly parts: readonly string[]; readonly alias: string | undefined; readonly at: Place }
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
      readonly kind: 'inner' | 'left' | 'cross';
      readonly left: Source;
      readonly right: Source;
      readonly on: Expression | undefined;
    };

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
  | { readonly is: 'union'; readonly left: Query; readonly right: Query; readonly all: boolean };

export interface Order {
  readonly of: Expression;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export interface Query {
  /** `WITH name AS (…)` */
  readonly named: readonly { readonly name: string; readonly columns: readonly string[]; readonly query: Query }[];
  readonly body: Body;
  readonly orders: readonly Order[];
  readonly limit: Expression | undefined;
  readonly offset: Expression | undefined;
}
