import { type Accumulator, type Aggregate, aggregateCall, aggregateOf } from './aggregates.ts';
import { bind, type Scope } from './bind.ts';
import type { Bound, Row } from './bound.ts';
import { placeOf } from './column-place.ts';
import type { Meter, Steps } from './meter.ts';
import { SqlProblem } from './problem.ts';
import { shown } from './show.ts';
import type { Expression } from './syntax.ts';
import type { SqlType, SqlValue } from './types.ts';

export const slot = (type: SqlType, index: number): Bound => ({ type, of: (row) => row[index] ?? null });

/** A key that is equal for equal values. */
export const keyOf = (values: readonly SqlValue[], meter: Meter): string => {
  const key = JSON.stringify(
    values.map((value) => (typeof value === 'bigint' ? String(value) : [value, String(value)])),
  );
  meter.read(key);
  return key;
};

export function* distinct(rows: readonly Row[], meter: Meter): Steps<readonly Row[]> {
  const found = new Map<string, Row>();
  for (const row of rows) {
    if (meter.isTurnOver) yield;
    found.set(keyOf(row, meter), row);
  }
  return [...found.values()];
}

/**
 * Replaces rows by groups: the values that they are grouped by, followed by the values of the aggregates. Binding the expressions of the
 * query in `scope` collects the aggregates; `run` must be called after that.
 */
export class Grouping {
  readonly scope: Scope;
  readonly #plain: Scope;
  readonly #keys: readonly Bound[];
  readonly #names: ReadonlyMap<string, number>;
  readonly #aggregates: Aggregate[] = [];
  readonly #slots = new Map<string, Bound>();

  constructor(plain: Scope, groups: readonly Expression[], expressions: readonly Expression[]) {
    this.#plain = plain;
    // `GROUP BY 1` refers to the first column of the result.
    const meant = groups.map((each) => {
      const isPlace = each.is === 'literal' && typeof each.value === 'bigint';
      return (isPlace ? expressions[Number(each.value) - 1] : undefined) ?? each;
    });
    this.#keys = meant.map((each) => bind(each, plain));
    this.#names = new Map(meant.map((each, index) => [this.#textOf(each), index]));
    this.scope = { ...plain, grouped: (expression) => this.#grouped(expression) };
  }

  /** A text that is equal for equivalent expressions, however their columns are qualified. */
  #textOf(expression: Expression): string {
    return shown(expression, (column) => {
      try {
        return `#${placeOf(column, this.#plain)}`;
      } catch (error) {
        // Not a column of the source: the later binding of the name reports the error.
        if (error instanceof SqlProblem) return column.parts.join('.');
        throw error;
      }
    });
  }

  /** The value of an expression per group; undefined if the expression has to be bound by its parts. */
  #grouped(expression: Expression): Bound | undefined {
    const call = aggregateCall(expression);
    if (!call && this.#keys.length === 0) return undefined;
    const text = this.#textOf(expression);
    this.#plain.meter.read(text);
    const index = this.#names.get(text);
    if (index !== undefined) return slot((this.#keys[index] as Bound).type, index);
    if (!call) return undefined;
    const known = this.#slots.get(text);
    if (known) return known;
    const args = call.args.map((arg) => bind(arg, this.#plain));
    const aggregate = aggregateOf(call, args);
    const made = slot(aggregate.type, this.#keys.length + this.#aggregates.length);
    this.#aggregates.push(aggregate);
    this.#slots.set(text, made);
    return made;
  }

  *run(rows: readonly Row[]): Steps<readonly Row[]> {
    const { meter } = this.#plain;
    const groups = new Map<string, { readonly key: Row; readonly accumulators: readonly Accumulator[] }>();
    const begun = (key: Row) => {
      meter.keep([...key, ...this.#aggregates.map(() => null)]);
      return { key, accumulators: this.#aggregates.map((each) => each.begin()) };
    };
    if (this.#keys.length === 0) groups.set(keyOf([], meter), begun([]));
    for (const row of rows) {
      if (meter.isTurnOver) yield;
      const key = this.#keys.map((each) => each.of(row));
      const name = keyOf(key, meter);
      const group = groups.get(name) ?? begun(key);
      groups.set(name, group);
      for (const accumulator of group.accumulators) accumulator.add(row);
    }
    const made: Row[] = [];
    for (const { key, accumulators } of groups.values()) {
      if (meter.isTurnOver) yield;
      made.push([...key, ...accumulators.map((each) => each.value())]);
    }
    return made;
  }
}
