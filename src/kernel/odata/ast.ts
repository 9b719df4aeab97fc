/** The syntax tree of a query option, before names are resolved. `at` is the offset in the text. */

export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
export type ArithmeticOperator = 'add' | 'sub' | 'mul' | 'div' | 'divby' | 'mod';

export type Node = Literal | Path | Call | Binary | Unary | Junction | In | Lambda;

/** `text` is the original spelling; it is kept if the value does not determine it. */
export type Literal = { readonly kind: 'literal'; readonly at: number } & (
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'string' | 'guid'; readonly value: string }
  /** `date` is `2024-01-31`, `time` is `23:59:59.999`: texts that sort in chronological order. */
  | { readonly type: 'date' | 'time'; readonly value: string; readonly text: string }
  /** An instant in milliseconds since 1970, a duration in milliseconds, an integer, or any other number including `INF` and `NaN`. */
  | { readonly type: 'instant' | 'duration' | 'integer' | 'decimal'; readonly value: number; readonly text: string }
  /** `Vendor.Color'Red'` */
  | { readonly type: 'enum'; readonly name: string; readonly value: string }
);

/** `name`, `address/city`, `$it/name`, `lines/$count`; the first segment may be a lambda variable. */
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
  /** The offset of the operator. */
  readonly at: number;
}

export interface Unary {
  readonly kind: 'unary';
  readonly operator: 'not' | 'negate';
  readonly operand: Node;
  readonly at: number;
}

/** A chain of `and` or `or` is one node, however long, to avoid deep recursion. */
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

/** A path in `$select`; `*` selects all properties. */
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
  /** `max` expands as many levels as are allowed. */
  readonly levels?: number | 'max';
  readonly search?: string;
}

/** Size limits of a query option. */
export const LIMITS = {
  /** Maximum length of one option, in characters. */
  length: 65_536,
  /** Nesting depth of parentheses, calls, `not` and lambdas. */
  depth: 100,
  /** Maximum number of literals, names, calls and operators in one option. Databases need quadratic time to plan them. */
  nodes: 2000,
  /** Maximum number of literals in the lists of `in`, which are cheap. */
  values: 10_000,
  /** Maximum length of a left-associative chain: `1 add 2 add 3 …`. */
  chain: 200,
  /** Nesting depth of `any` and `all`: each level multiplies the number of elements to test. */
  lambdas: 4,
  /** Maximum number of names in `$orderby`. */
  orders: 10,
  /** Nesting depth of `$expand`. */
  expansions: 6,
} as const;
