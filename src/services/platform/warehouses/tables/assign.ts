import type { Column } from '../../catalog/tables/columns.ts';
import { bind, type Scope, scopeOf } from '../sql/bind.ts';
import { type Bound, converted, type Row, truth } from '../sql/bound.ts';
import { castOf } from '../sql/cast.ts';
import { castText } from '../sql/format.ts';
import type { Meter } from '../sql/meter.ts';
import { parseExpression } from '../sql/parser.ts';
import { problems, SqlProblem } from '../sql/problem.ts';
import { bounded } from '../sql/run-statement.ts';
import type { Session } from '../sql/session.ts';
import { isNested, isNumeric, type SqlType, type SqlValue, typeText } from '../sql/types.ts';
import { defaultOf, sqlTypeOf } from './types.ts';

/** Rules for the rows of a table: the types of its columns, NOT NULL columns, and `CHECK` constraints. */

/** Prefix of the table properties for constraints, as in Delta. */
export const CHECK_PROPERTY = 'delta.constraints.';

export interface Check {
  readonly name: string;
  readonly text: string;
}

export function checksOf(properties: unknown): readonly Check[] {
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties).flatMap(([key, text]) =>
    key.startsWith(CHECK_PROPERTY) ? [{ name: key.slice(CHECK_PROPERTY.length), text: String(text) }] : [],
  );
}

/** Converts a value to the type of a column. Throws if the types are not convertible. */
export function assigned(of: Bound, column: Column, table: string): Bound {
  const to = sqlTypeOf(column);
  if (isNested(of.type) && isNested(to) && of.type.kind === to.kind) return { ...of, type: to };
  if (!castOf(of.type, to)) throw problems.unassignable(table, column.name, typeText(of.type), typeText(to));
  const cast = converted(of, to);
  if (!isNumeric(of.type) || !isNumeric(to)) return cast;
  return {
    ...cast,
    of(row) {
      try {
        return cast.of(row);
      } catch (error) {
        if (error instanceof SqlProblem && error.sqlState === '22003')
          throw problems.inserted(typeText(of.type), typeText(to), column.name);
        throw error;
      }
    },
  };
}

/** The value of a column that an insert omits. */
export function defaultFor(column: Column, session: Session, meter: Meter, table: string): Bound {
  const text = defaultOf(column);
  if (text === undefined) return { type: sqlTypeOf(column), of: () => null };
  const bound = bind(
    bounded(() => parseExpression(text)),
    scopeOf(session, meter, []),
  );
  const value = assigned(bound, column, table).of([]);
  return { type: sqlTypeOf(column), of: () => value };
}

/** Validates rows before they are written. */
export class RowRules {
  readonly #columns: readonly Column[];
  readonly #types: readonly SqlType[];
  readonly #checks: readonly (Check & { readonly holds: Bound })[];
  readonly #needed: readonly number[];

  constructor(columns: readonly Column[], checks: readonly Check[], session: Session, meter: Meter) {
    this.#columns = columns;
    this.#types = columns.map(sqlTypeOf);
    const scope: Scope = scopeOf(
      session,
      meter,
      columns.map((column, index) => ({ name: column.name, type: this.#types[index] as SqlType })),
    );
    this.#checks = checks.map((check) => ({
      ...check,
      holds: truth(
        bind(
          bounded(() => parseExpression(check.text)),
          scope,
        ),
      ),
    }));
    this.#needed = columns.flatMap(({ nullable }, index) => (nullable ? [] : [index]));
  }

  check(row: Row): void {
    for (const index of this.#needed)
      if ((row[index] ?? null) === null) throw problems.notNull((this.#columns[index] as Column).name);
    // A constraint with an unknown result is satisfied.
    for (const { name, text, holds } of this.#checks)
      if (holds.of(row) === false) throw problems.violated(name, text, this.#shown(row));
  }

  /** Returns true if a row violates one of the rules. */
  isBroken(row: Row): boolean {
    return (
      this.#needed.some((index) => (row[index] ?? null) === null) ||
      this.#checks.some(({ holds }) => holds.of(row) === false)
    );
  }

  #shown(row: Row): string {
    const shown = (value: SqlValue, index: number): string =>
      value === null ? 'null' : castText(value, this.#types[index] as SqlType).slice(0, 100);
    return this.#columns
      .slice(0, 20)
      .map(({ name }, index) => ` - ${name} : ${shown(row[index] ?? null, index)}`)
      .join('\n');
  }
}
