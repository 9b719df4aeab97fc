import {
  allOf,
  type Collection,
  eq,
  type Filter,
  type Scalar,
  type Stored,
  storable,
} from '../../../../kernel/store/index.ts';
import { HEAD_CHARACTERS, headOf } from '../collections.ts';
import {
  type AttributeColumn,
  HEAD,
  NUMBER,
  PATH,
  type Scope,
  type Searchable,
  type ValueColumn,
  valueSuffix,
} from './searchable.ts';
import { MISSING, type Place, RANK, type SortValue } from './sort.ts';

/** Documents that a walk reads in the order of a field: the records themselves, or values of one name. */
export interface Source<T> {
  readonly collection: Collection<never>;
  readonly within: Filter;
  /** The field by which the index is ordered. */
  readonly field: string;
  /** The content of `field` for documents with this value. */
  groupOf(value: Scalar): Scalar;
  /** Returns true if all documents that match a filter on `field` have the same value, and not only the same beginning of it. */
  isExact(has: Filter | undefined): boolean;
  /** The same filter for the collection of records. */
  ofThing(has: Filter): Filter;
  /** The key of the document of a record. */
  documentKey(thing: string): string;
  read(document: Stored<never>, values: readonly SortValue[] | undefined): Place & { readonly thing?: Stored<T> };
}

/** A text in the form of columns, so that sorting here agrees with the order of the index. */
export const sortValue = (value: Scalar | undefined, absent: SortValue): SortValue =>
  value === undefined ? absent : [RANK.value, typeof value === 'string' ? storable(value) : value];

/** Without a column, reads in the default order. */
export function thingSource<T>(searchable: Searchable<T>, { within }: Scope, column?: AttributeColumn<T>): Source<T> {
  return {
    collection: searchable.collection,
    within,
    field: column?.ordered ?? column?.field ?? searchable.tie,
    groupOf: (value) => value,
    isExact: () => true,
    ofThing: (has) => has,
    documentKey: (thing) => thing,
    read(document, values) {
      const thing = document as Stored<T>;
      const own = column ? [sortValue(column.of?.(thing.value), MISSING)] : [];
      return { key: thing.key, tie: searchable.tieOf(thing.value), values: values ?? own, thing };
    },
  };
}

export function valueSource(column: ValueColumn<never>, scope: Scope, name: string): Source<never> {
  const isText = column.type === 'text';
  return {
    collection: column.collection,
    within: allOf(eq(PATH, scope.path(name))),
    field: isText ? HEAD : NUMBER,
    groupOf: (value) => (isText ? headOf(String(value)) : value),
    isExact: (has) => !isText || !(has?.op === 'eq' && String(has.value).length >= HEAD_CHARACTERS),
    ofThing: (filter) => ({
      op: 'linked',
      collection: column.collection,
      field: 'key',
      by: 'key',
      suffix: valueSuffix(name),
      filter,
    }),
    documentKey: (thing) => thing + valueSuffix(name),
    read: ({ value }, values) => ({
      key: column.thingOf(value),
      tie: column.tieOf(value),
      values: values ?? [sortValue(column.valueOf(value), [RANK.nan])],
    }),
  };
}
