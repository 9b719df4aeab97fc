import type { Collection, Filter, Scalar } from '../../../../kernel/store/index.ts';

/**
 * What a search has to know of the things that it finds: runs, experiments, logged models, traces. Their own fields are columns of `collection`; what was
 * logged to them under a name (metrics, parameters, tags) are documents of other collections, whose key is the key of the thing, a slash and the name.
 */
export interface Searchable<T> {
  readonly collection: Collection<T>;
  readonly attributes: Readonly<Record<string, AttributeColumn<T>>>;
  /** By entity. */
  readonly values: Readonly<Record<string, ValueColumn<never>>>;
  /** Documents of which a thing has any number; by entity. */
  readonly related: Readonly<Record<string, RelatedColumns>>;
  /** The default order, ascending, which also decides between equals: a number field of `collection` and of the collections of values, then the key. */
  readonly tie: string;
  tieOf(thing: T): number;
  /** Where results are ordered by something, equals are in the order of their keys alone, from the last on. */
  readonly equalsByKeyDescending?: true;
}

export interface AttributeColumn<T> {
  /** What filters compare. */
  readonly field: string;
  /** What results are ordered by, where that is another field: an index of `collection` has the fields of a scope, this one and `tie`. */
  readonly ordered?: string;
  /** Absent where results cannot be ordered by it. */
  of?(thing: T): Scalar | undefined;
  /** What a text of a filter is compared with: a column may have another form than the API. */
  stored?(value: string): string;
}

export interface ValueColumn<V> {
  readonly collection: Collection<V>;
  readonly type: 'number' | 'text';
  /** The key of the thing that a value belongs to. */
  thingOf(value: V): string;
  /** Undefined: NaN. */
  valueOf(value: V): Scalar | undefined;
  tieOf(value: V): number;
}

/**
 * Fields of the collections of values. `path` is what values of one name are found by within a scope; `value` a number, `head` the beginning of a text and
 * `text` all of it. There are indexes of path, value (or head) and `tie`.
 */
export const PATH = 'path';
export const NUMBER = 'value';
export const HEAD = 'head';
export const TEXT = 'text';

/** The key of the value of a name, from the key of its thing. */
export const valueSuffix = (name: string): string => `/${name}`;

export interface RelatedColumns {
  readonly collection: Collection<never>;
  /** The field that has the key of the thing. */
  readonly by: string;
  /** Fields by the keys of the search language; any key is `name` and the value of `value` where `named` is given. */
  readonly fields: Readonly<Record<string, string>>;
  readonly named?: { readonly name: string; readonly text: string; readonly number: string };
}

/** A range of things that an index holds in their default order: the active runs of an experiment. */
export interface Scope {
  readonly within: Filter;
  /** `path` of values that are called so. */
  path(name: string): string;
}
