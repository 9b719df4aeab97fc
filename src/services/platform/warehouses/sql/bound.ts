import { castOf } from './cast.ts';
import { problems } from './problem.ts';
import { commonType, type SqlType, type SqlValue, simple, typeText } from './types.ts';

export type Row = readonly SqlValue[];

/** An expression whose type is known and that can be worked out for a row. */
export interface Bound {
  readonly type: SqlType;
  of(row: Row): SqlValue;
  /** Its value does not depend on the row. */
  readonly literal?: true;
}

export interface Column {
  readonly name: string;
  /** The name of what it comes from. */
  readonly from?: string | undefined;
  /** Catalog, schema and name of the table that it comes from, where the table has no alias. */
  readonly path?: readonly string[] | undefined;
  /** One side of a column that `USING` made one of two: found with the name of its table only. */
  readonly hidden?: true;
  readonly type: SqlType;
}

const BOOLEAN = simple('BOOLEAN');

/** A condition. */
export function truth(of: Bound): Bound {
  if (of.type.kind === 'BOOLEAN' || of.type.kind === 'NULL' || of.type.kind === 'STRING') return converted(of, BOOLEAN);
  throw problems.mismatch(`A condition must be of the type "BOOLEAN", not "${typeText(of.type)}".`);
}

/** The value as another type. Throws where the types have nothing to do with each other. */
export function converted(of: Bound, to: SqlType): Bound {
  if (typeText(of.type) === typeText(to)) return of;
  return cast(of, to, false);
}

/** The value as another type; with `isTry`, null where it cannot be. */
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

/** Both as the type that they have in common. */
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
