import type { FunctionName } from '../store/functions.ts';
import type { Comparator, Scalar } from '../store/types.ts';
import type { Kind } from './calls.ts';
import type { PropertyShape } from './shape.ts';

/**
 * An expression whose names are known and whose types fit. Both the SQL and the evaluation in memory are made from this, so that
 * they cannot read a filter in two ways.
 */
export type Value = Constant | Property | Computed | Count;

interface Typed {
  /** Absent for `null`. */
  readonly type: Kind | undefined;
  /** A number without a fraction. */
  readonly whole?: boolean;
  /** Text in lower case, to be compared with such. */
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
  /** As a client wrote it. */
  readonly path: string;
  readonly shape: PropertyShape;
  /** Where it begins: -1 is the document itself, any other the element that so many lambdas around it look at. */
  readonly slot: number;
  /** From there on, one step after the other. */
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
  /** `absent`: null is among the values. */
  | { readonly kind: 'in'; readonly operand: Value; readonly values: readonly Scalar[]; readonly absent: boolean }
  | {
      readonly kind: 'lambda';
      readonly operator: 'any' | 'all';
      readonly property: ResolvedProperty;
      /** Where the body finds the element. */
      readonly slot: number;
      readonly body: Predicate | undefined;
    };

export const ALWAYS: Predicate = { kind: 'always', value: true };
export const NEVER: Predicate = { kind: 'always', value: false };
