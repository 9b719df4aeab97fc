/** What the text of a query option says, before anybody knows what its names mean. `at` is the offset in the text. */

export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
export type ArithmeticOperator = 'add' | 'sub' | 'mul' | 'div' | 'divby' | 'mod';

export type Node = Literal | Path | Call | Binary | Unary | Junction | In | Lambda;

/** `text` is how it was written, where the value alone could not be written the same way. */
export type Literal = { readonly kind: 'literal'; readonly at: number } & (
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'string' | 'guid'; readonly value: string }
  /** `date` is `2024-01-31`, `time` is `23:59:59.999`: texts that compare as what they stand for. */
  | { readonly type: 'date' | 'time'; readonly value: string; readonly text: string }
  /** Milliseconds since 1970, or of a duration; a whole number; any other number, `INF` and `NaN` included. */
  | { readonly type: 'instant' | 'duration' | 'integer' | 'decimal'; readonly value: number; readonly text: string }
  /** `Vendor.Color'Red'` */
  | { readonly type: 'enum'; readonly name: string; readonly value: string }
);

/** `name`, `address/city`, `$it/name`, `lines/$count`; the first segment may be the variable of a lambda. */
export interface Path {
  readonly kind: 'path';
  readonly segments: readonly string[];
  readonly at: number;
}

export interface Call {
  readonly kind: 'call';
  /** In lower case. */
  readonly name: string;
  readonly args: readonly Node[];
  readonly at: number;
}

export interface Binary {
  readonly kind: 'binary';
  readonly operator: ComparisonOperator | ArithmeticOperator | 'has';
  readonly left: Node;
  readonly right: Node;
  /** Of the operator. */
  readonly at: number;
}

export interface Unary {
  readonly kind: 'unary';
  readonly operator: 'not' | 'negate';
  readonly operand: Node;
  readonly at: number;
}

/** A row of `and` or `or` is one node however long it is, so that nothing has to go deep into it. */
export interface Junction {
  readonly kind: 'junction';
  readonly operator: 'and' | 'or';
  readonly args: readonly Node[];
  readonly at: number;
}

export interface In {
  readonly kind: 'in';
  readonly operand: Node;
  readonly values: readonly Literal[];
  readonly at: number;
}

export interface Lambda {
  readonly kind: 'lambda';
  readonly operator: 'any' | 'all';
  readonly collection: Path;
  /** Absent in `tags/any()`. */
  readonly variable?: string;
  readonly body?: Node;
  readonly at: number;
}

export interface OrderItem {
  readonly expression: Node;
  readonly descending: boolean;
}

/** The names of one path in `$select`; `*` stands for all properties. */
export interface SelectItem {
  readonly segments: readonly string[];
  readonly at: number;
}

export interface ExpandItem {
  readonly segments: readonly string[];
  readonly options: ExpandOptions;
  readonly at: number;
}

export interface ExpandOptions {
  readonly filter?: Node;
  readonly orderBy?: readonly OrderItem[];
  readonly select?: readonly SelectItem[];
  readonly expand?: readonly ExpandItem[];
  readonly top?: number;
  readonly skip?: number;
  readonly count?: boolean;
  /** `max` is as many as are allowed. */
  readonly levels?: number | 'max';
  readonly search?: string;
}

/** How much of everything is read. */
export const LIMITS = {
  /** Characters of one option. */
  length: 65_536,
  /** Parentheses, calls, `not` and lambdas inside each other. */
  depth: 100,
  /** Literals, names, calls and operators of one option. What databases plan grows with the square of it. */
  nodes: 2000,
  /** Literals in the lists of `in`, which are no burden to anybody. */
  values: 10_000,
  /** Operators that take the result of another on their left: `1 add 2 add 3 …`. */
  chain: 200,
  /** `any` and `all` inside each other: each multiplies what has to be looked at. */
  lambdas: 4,
  /** Names in `$orderby`. */
  orders: 10,
  /** `$expand` inside `$expand`. */
  expansions: 6,
} as const;
