import {
  allOf,
  type Collection,
  eq,
  type Filter,
  type Position,
  type Query,
  type Reader,
  type Scalar,
  type Stored,
} from '../../../../kernel/store/index.ts';
import { lacks } from './compile.ts';
import { ATTRIBUTE, type OrderKey } from './language.ts';
import { HEAD, NUMBER, PATH, type Scope, type Searchable, TEXT, type ValueColumn, valueSuffix } from './searchable.ts';
import { type ComparePlaces, MISSING, type Place, placesInOrder, RANK, type SortValue } from './sort.ts';

/** Something that a search may find, and where it is in the order. */
export interface Candidate<T> extends Place {
  readonly scope: Scope;
  /** Where the thing itself was read on the way. */
  readonly thing?: Stored<T>;
}

export interface Walking<T> {
  readonly reader: Pick<Reader, 'query'>;
  readonly searchable: Searchable<T>;
  readonly order: readonly OrderKey[];
  /** Documents that are read at once. */
  readonly slice: number;
}

type Slices<T> = AsyncGenerator<readonly Candidate<T>[]>;

/**
 * Everything of a scope in order, behind a place, in slices of bounded size: each is one query that an index answers. Values of the first key come by the index of
 * this key. What has equal values is a group; a group that ends within a slice is sorted in memory, and of a longer one the default order is read from the index.
 */
export class Walk<T> {
  readonly #walking: Walking<T>;
  readonly #scope: Scope;
  readonly #compare: ComparePlaces;

  constructor(walking: Walking<T>, scope: Scope) {
    this.#walking = walking;
    this.#scope = scope;
    this.#compare = placesInOrder(walking.order, walking.searchable.equalsByKeyDescending);
  }

  async *from(after: Place | undefined): Slices<T> {
    const first = this.#walking.order[0];
    if (!first) {
      yield* this.#things([], after);
      return;
    }
    const rank = after?.values[0]?.[0] ?? RANK.value;
    const { searchable } = this.#walking;
    const column = first.entity === ATTRIBUTE ? undefined : searchable.values[first.entity]!;
    const source = column ? valueSource(searchable, column, this.#scope, first.key) : this.#thingSource(first.key);
    const behind = (of: number) => (rank === of ? after : undefined);
    if (rank <= RANK.value) yield* this.#valued(source, first.descending, behind(RANK.value));
    if (column?.type === 'number' && rank <= RANK.nan)
      yield* this.#group(source, eq(NUMBER, null), [RANK.nan], behind(RANK.nan));
    if (!column) yield* this.#group(source, eq(source.field, null), MISSING, behind(RANK.missing));
    else yield* this.#missing(column, first.key, behind(RANK.missing));
  }

  #thingSource(key: string): Source {
    const { searchable } = this.#walking;
    const { field, of } = searchable.attributes[key]!;
    return {
      collection: searchable.collection,
      within: this.#scope.within,
      field,
      valueOf: (thing) => of?.(thing),
      sortOf: (thing) => of?.(thing),
      tieOf: (thing) => searchable.tieOf(thing),
      keyOf: (stored) => stored.key,
      storedKey: (key) => key,
      isThing: true,
    };
  }

  /** Group by group, in the direction of the order. */
  async *#valued(source: Source, descending: boolean, after: Place | undefined): Slices<T> {
    const { reader, searchable, slice } = this.#walking;
    let past: Scalar | undefined;
    if (after) {
      past = source.groupOf(after.values[0]![1]!);
      yield* this.#group(source, eq(source.field, past), undefined, after);
    }
    const order = [source.field, searchable.tie].map((field) => ({ field, descending }));
    for (;;) {
      const there: Filter =
        past === undefined
          ? { op: 'ne', field: source.field, value: null }
          : { op: descending ? 'lt' : 'gt', field: source.field, value: past };
      const { items, next } = await reader.query(source.collection, {
        filter: allOf(source.within, there),
        order,
        limit: slice,
      });
      const last = items.at(-1);
      if (!last) return;
      const lastGroup = source.fieldOf(last.value);
      const complete = next ? items.filter(({ value }) => source.fieldOf(value) !== lastGroup) : items;
      yield this.#sorted(await this.#completed(complete.map((each) => this.#candidate(source, each))));
      if (!next) return;
      yield* this.#group(source, eq(source.field, lastGroup), undefined, undefined);
      past = lastGroup;
    }
  }

  /** What has one value, in the order of the other keys and then in the default order. */
  async *#group(source: Source, has: Filter, value: SortValue | undefined, after: Place | undefined): Slices<T> {
    const isByTie = this.#isByTie(source, after);
    const position: Position | undefined = isByTie && after ? [after.tie, source.storedKey(after.key)] : undefined;
    const slices = this.#byTie(source, has, value, position);
    if (isByTie) yield* slices;
    else yield* this.#wholly(slices, after);
  }

  /** Whether the default order is all that decides within a group. Texts that only begin alike are a group, too. */
  #isByTie(_source: Source, _after: Place | undefined): boolean {
    const { order, searchable } = this.#walking;
    return order.length <= 1 && !(searchable.equalsByKeyDescending && order.length > 0);
  }
}
