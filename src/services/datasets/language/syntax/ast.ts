import type { Position } from '../errors.ts';

/** A parsed query, before its names are resolved. */
export interface Query {
  /** Definitions in the order in which they appear. */
  readonly definitions: readonly (MeasureDefinition | Variable)[];
  readonly evaluations: readonly Evaluation[];
}

export interface MeasureDefinition {
  readonly kind: 'measure definition';
  readonly at: Position;
  readonly table: string;
  readonly name: string;
  readonly expression: Expression;
}

export interface Variable {
  readonly kind: 'variable';
  readonly at: Position;
  readonly name: string;
  readonly value: Expression;
}

export interface Evaluation {
  readonly at: Position;
  readonly table: Expression;
  readonly order: readonly OrderKey[];
  readonly startAt: readonly Expression[];
}

export interface OrderKey {
  readonly key: Expression;
  readonly descending: boolean;
}

export type Expression =
  | Literal
  | ColumnReference
  | NameReference
  | Call
  | Unary
  | Binary
  | Membership
  | TableConstructor
  | Let;

interface Node {
  readonly at: Position;
}

/** A bigint for an integer, a number for any other number, `{ serial }` for a date: days since 1899-12-30. */
export interface Literal extends Node {
  readonly kind: 'literal';
  readonly value: bigint | number | string | boolean | { readonly serial: number };
}

/** `T[c]` or `'My T'[c]`; or `[x]`, which is a column or a measure. */
export interface ColumnReference extends Node {
  readonly kind: 'column';
  readonly table: string | undefined;
  readonly name: string;
}

/** `T`, `'My T'`, or a variable. A `quoted` name is always a table. */
export interface NameReference extends Node {
  readonly kind: 'name';
  readonly name: string;
  readonly quoted: boolean;
}

export interface Call extends Node {
  readonly kind: 'call';
  /** In upper case. */
  readonly name: string;
  /** Undefined for an empty argument. */
  readonly args: readonly (Expression | undefined)[];
}

export interface Unary extends Node {
  readonly kind: 'unary';
  readonly operator: '-' | '+' | 'NOT';
  readonly operand: Expression;
}

export type BinaryOperator =
  | '^'
  | '*'
  | '/'
  | '+'
  | '-'
  | '&'
  | '='
  | '=='
  | '<>'
  | '<'
  | '>'
  | '<='
  | '>='
  | '&&'
  | '||';

export interface Binary extends Node {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** `value IN table`, or `(a, b) IN table`. */
export interface Membership extends Node {
  readonly kind: 'in';
  readonly values: readonly Expression[];
  readonly table: Expression;
}

/** `{ 1, 2 }` or `{ (1, "a"), (2, "b") }`: rows of values. */
export interface TableConstructor extends Node {
  readonly kind: 'table';
  readonly rows: readonly (readonly Expression[])[];
}

/** `VAR … VAR … RETURN body` */
export interface Let extends Node {
  readonly kind: 'let';
  readonly variables: readonly Variable[];
  readonly body: Expression;
}
