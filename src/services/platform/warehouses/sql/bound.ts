import { castOf } from './cast.ts';
import { problems } from './problem.ts';
import { commonType, type SqlType, type SqlValue, simple, typeText } from './types.ts';

export type Row = readonly SqlValue[];

/** An expression with a known type that can be evaluated for a row. */
export interface Bound {
  readonly type: SqlType;
  of(row: Row): SqlValue;
  /** True if its value does not depend on the row. */
  readonly literal?: true;
}

export interface Column {
  readonly name: string;
  /** The name or alias of its table. */
  readonly from?: string | undefined;
  /** Catalog, schema and name of its table, if the table has no alias. */
  readonly path?: readonly string[] | undefined;
  /** True for one side of a column merged by `USING`: found only with the name of its table. */
  readonly hidden?: true;
  readonly type: SqlType;
}

const BOOLEAN = simple('BOOLEAN');

/** Converts an expression to a condition. */
export function truth(of: Bound): Bound {
  if (of.type.kind === 'BOOLEAN' || of.type.kind === 'NULL' || of.type.kind === 'STRING') return converted(of, BOOLEAN);
  throw problems.mismatch(`A condition must be of the type "BOOLEAN", not "${typeText(of.type)}".`);
}

/** Converts the value to another type. Throws if the types are not convertible. */
export function converted(of: Bound, to: SqlType): Bound {
  if (typeText(of.type) === typeText(to)) return of;
  return cast(of, to, false);
}

/** Casts the value to another type; with `isTry`, the value is null if the cast fails. */
export function cast(of: Bound, to: SqlType, isTry: boolean): Bound {
  const convert = castOf(of.type, to);
  if (!convert) throw problems.mismatch(`Cannot cast "${typeText(of.type)}" to "${typeText(to)}".`);
  return {
    type: to,
    ...(of.literal && { literal: true }),
    of(row) {
      const value = of.of(row);
      if (value === null) return null;
      if (!isTry) return convert(value);
      try {
        return convert(value);
      } catch {
        return null;
      }
    },
  };
}

/** Converts the expressions to their common type. */
export function alike(bounds: readonly Bound[], what: string | (() => string)): readonly Bound[] {
  let type: SqlType = simple('NULL');
  for (const bound of bounds) {
    const both = commonType(type, bound.type);
    if (!both)
      throw problems.mismatch(
        `${typeof what === 'string' ? what : what()}: "${typeText(type)}" and "${typeText(bound.type)}" have no type in common.`,
      );
    type = both;
  }
  return bounds.map((bound) => converted(bound, type));
}
