import type { FunctionName } from '../store/functions.ts';
import type { Comparator, Scalar } from '../store/types.ts';
import type { Kind } from './calls.ts';
import type { PropertyShape } from './shape.ts';

/**
 * An expression with resolved names and checked types. Both the SQL and the in-memory evaluation are derived from it, so that they cannot
 * interpret a filter differently.
 */
export type Value = Constant | Property | Computed | Count;

interface Typed {
  /** Undefined for `null`. */
  readonly type: Kind | undefined;
  /** True for an integer. */
  readonly whole?: boolean;
  /** True for a lower-case text, which is compared only with lower-case texts. */
  readonly folded?: boolean;
}

export interface Constant extends Typed {
  readonly kind: 'constant';
  readonly value: Scalar | null;
}

export interface Property extends Typed {
  readonly kind: 'property';
  readonly property: ResolvedProperty;
}

export interface Computed extends Typed {
  readonly kind: 'call';
  readonly name: FunctionName;
  readonly args: readonly Value[];
}

/** `lines/$count` */
export interface Count extends Typed {
  readonly kind: 'count';
  readonly property: ResolvedProperty;
}

export interface ResolvedProperty {
  /** The path as the client wrote it. */
  readonly path: string;
  readonly shape: PropertyShape;
  /** The start of the path: -1 is the document itself, other values are the element of the lambda at that nesting level. */
  readonly slot: number;
  /** The property names to follow from there. */
  readonly steps: readonly Step[];
}

export interface Step {
  readonly name: string;
  readonly read?: (owner: never) => unknown;
}

export type Predicate =
  | { readonly kind: 'always'; readonly value: boolean }
  | { readonly kind: 'junction'; readonly operator: 'and' | 'or'; readonly args: readonly Predicate[] }
  | { readonly kind: 'not'; readonly arg: Predicate }
  | { readonly kind: 'compare'; readonly operator: Comparator; readonly left: Value; readonly right: Value }
  /** `absent` is true if the values include null. */
  | { readonly kind: 'in'; readonly operand: Value; readonly values: readonly Scalar[]; readonly absent: boolean }
  | {
      readonly kind: 'lambda';
      readonly operator: 'any' | 'all';
      readonly property: ResolvedProperty;
      /** The slot in which the body finds the element. */
      readonly slot: number;
      readonly body: Predicate | undefined;
    };

export const ALWAYS: Predicate = { kind: 'always', value: true };
export const NEVER: Predicate = { kind: 'always', value: false };
