import type { Collection, Filter, Scalar } from '../../../../kernel/store/index.ts';

/**
 * Describes the records that a search finds: runs, experiments, logged models, traces. Their own fields are columns of `collection`; their
 * named values (metrics, parameters, tags) are documents of other collections, whose key is the key of the record, a slash and the name.
 */
export interface Searchable<T> {
  readonly collection: Collection<T>;
  readonly attributes: Readonly<Record<string, AttributeColumn<T>>>;
  /** By entity. */
  readonly values: Readonly<Record<string, ValueColumn<never>>>;
  /** Collections with any number of documents per record; by entity. */
  readonly related: Readonly<Record<string, RelatedColumns>>;
  /**
   * The default order, ascending, which is also the tie-breaker: a number field of `collection` and of the collections of values, then the
   * key.
   */
  readonly tie: string;
  tieOf(thing: T): number;
  /** If an order is requested, ties are ordered only by key, descending. */
  readonly equalsByKeyDescending?: true;
}

export interface AttributeColumn<T> {
  /** The field that filters compare. */
  readonly field: string;
  /** The field that results are ordered by, if different: an index of `collection` has the fields of a scope, this one and `tie`. */
  readonly ordered?: string;
  /** Absent if results cannot be ordered by it. */
  of?(thing: T): Scalar | undefined;
  /** Converts a text of a filter to the form of the column, if that differs from the API. */
  stored?(value: string): string;
}

export interface ValueColumn<V> {
  readonly collection: Collection<V>;
  readonly type: 'number' | 'text';
  /** The key of the record that a value belongs to. */
  thingOf(value: V): string;
  /** Undefined for NaN. */
  valueOf(value: V): Scalar | undefined;
  tieOf(value: V): number;
}

/**
 * Fields of the collections of values. `path` finds the values of one name within a scope; `value` is a number, `head` the beginning of a
 * text and `text` the whole text. There are indexes of path, value (or head) and `tie`.
 */
export const PATH = 'path';
export const NUMBER = 'value';
export const HEAD = 'head';
export const TEXT = 'text';

/** Appended to the key of a record, gives the key of its value of this name. */
export const valueSuffix = (name: string): string => `/${name}`;

export interface RelatedColumns {
  readonly collection: Collection<never>;
  /** The field with the key of the record. */
  readonly by: string;
  /**
   * Fields by key of the search language. If `named` is given, every key is looked up in its `name` field, with the value in its `text`
   * or `number` field.
   */
  readonly fields: Readonly<Record<string, string>>;
  readonly named?: { readonly name: string; readonly text: string; readonly number: string };
}

/** A range of records that an index has in their default order, such as the active runs of an experiment. */
export interface Scope {
  readonly within: Filter;
  /** `path` of values with this name. */
  path(name: string): string;
}
