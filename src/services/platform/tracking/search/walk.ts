import {
  allOf,
  eq,
  type Filter,
  type Position,
  type Reader,
  type Scalar,
  type Stored,
} from '../../../../kernel/store/index.ts';
import { lacks } from './compile.ts';
import { ATTRIBUTE, type OrderKey } from './language.ts';
import type { Scope, Searchable } from './searchable.ts';
import { type ComparePlaces, MISSING, type Place, placesInOrder, RANK, type SortValue } from './sort.ts';
import { readSortValues } from './sort-values.ts';
import { type Source, thingSource, valueSource } from './sources.ts';

/** A possible match of a search, with its position in the order. */
export interface Candidate<T> extends Place {
  readonly scope: Scope;
  /** The record, if it was already read. */
  readonly thing?: Stored<T>;
}

export interface Walking<T> {
  readonly reader: Pick<Reader, 'query'>;
  readonly searchable: Searchable<T>;
  readonly order: readonly OrderKey[];
  /** Number of documents per query. */
  readonly slice: number;
  /** Maximum number of records with equal values of the first key that are sorted in memory. */
  readonly sorted: number;
}

type Slices<T> = AsyncGenerator<readonly Candidate<T>[]>;

/**
 * Reads the records of a scope in order, after a position, in slices of bounded size: each slice is one query that an index answers. The
 * index of the first key gives the order of its values. Records with equal values form a group: a group that ends within a slice is sorted
 * in memory, a longer one is read separately, in the default order of its index.
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
    const { order, searchable } = this.#walking;
    const things = thingSource(searchable, this.#scope);
    const [first] = order;
    if (!first) {
      yield* this.#group(things, undefined, [], after);
      return;
    }
    const rank = after?.values[0]?.[0] ?? RANK.value;
    const behind = (of: number) => (rank === of ? after : undefined);
    const column = first.entity === ATTRIBUTE ? undefined : searchable.values[first.entity]!;
    const source = column
      ? valueSource(column, this.#scope, first.key)
      : thingSource(searchable, this.#scope, searchable.attributes[first.key]);
    if (rank <= RANK.value) yield* this.#valued(source, first.descending, behind(RANK.value));
    if (rank <= RANK.nan && column?.type === 'number')
      yield* this.#group(source, eq(source.field, null), [[RANK.nan]], behind(RANK.nan));
    if (column) yield* this.#group(things, undefined, [MISSING], behind(RANK.missing), lacks(column, first.key));
    else yield* this.#group(source, eq(source.field, null), [MISSING], behind(RANK.missing));
  }

  /** Reads one group after another, in the direction of the order. */
  async *#valued(source: Source<T>, descending: boolean, after: Place | undefined): Slices<T> {
    const { reader, searchable, slice } = this.#walking;
    const order = [source.field, searchable.tie].map((field) => ({ field, descending }));
    let past: Scalar | undefined;
    if (after) {
      past = source.groupOf(after.values[0]![1]!);
      yield* this.#group(source, eq(source.field, past), undefined, after);
    }
    for (;;) {
      const there: Filter =
        past === undefined
          ? { op: 'ne', field: source.field, value: null }
          : { op: descending ? 'lt' : 'gt', field: source.field, value: past };
      const filter = allOf(source.within, there);
      const { items, next } = await reader.query(source.collection, { filter, order, limit: slice });
      const read = items.map((item) => this.#candidate(source, item, undefined));
      const last = next && source.groupOf(read.at(-1)!.values[0]![1]!);
      const complete = next ? read.filter(({ values }) => source.groupOf(values[0]![1]!) !== last) : read;
      yield (await this.#completed(complete)).toSorted(this.#compare);
      if (last === undefined) return;
      yield* this.#group(source, eq(source.field, last), undefined, undefined);
      past = last;
    }
  }

  /**
   * Reads the records with one value of the first key, ordered by the other keys and then by the default order. `values` are given if the
   * documents do not contain them; `also` is a further condition on the records, which no index answers.
   */
  async *#group(
    source: Source<T>,
    has: Filter | undefined,
    values: readonly SortValue[] | undefined,
    after: Place | undefined,
    also?: Filter,
  ): Slices<T> {
    const { order, searchable } = this.#walking;
    const isByTie =
      order.length === 0 || (order.length === 1 && !searchable.equalsByKeyDescending && source.isExact(has));
    const position: Position | undefined = isByTie && after ? [after.tie, source.documentKey(after.key)] : undefined;
    const slices = this.#byTie(source, has, values, position, also);
    if (isByTie) {
      yield* slices;
      return;
    }
    const all: Candidate<T>[] = [];
    const isNestable = order.length > 1 && source.isExact(has);
    for await (const read of slices) {
      all.push(...read);
      if (all.length <= this.#walking.sorted || !isNestable) continue;
      const condition = allOf(has && source.ofThing(has), also);
      yield* this.#nested(values?.[0] ?? all[0]!.values[0]!, condition, after);
      return;
    }
    const completed = await this.#completed(all);
    yield completed.filter((each) => !after || this.#compare(each, after) > 0).sort(this.#compare);
  }

  /**
   * A group too large to be sorted in memory is a large part of its scope: walks through the scope by the next key, and keeps the records
   * of the group.
   */
  async *#nested(first: SortValue, condition: Filter, after: Place | undefined): Slices<T> {
    const order = this.#walking.order.slice(1);
    const inner = after && { ...after, values: after.values.slice(1) };
    for await (const slice of new Walk({ ...this.#walking, order }, this.#scope).from(inner)) {
      const those = await this.#those(slice, condition);
      yield those.map((each) => ({ ...each, values: [first, ...each.values] }));
    }
  }

  async *#byTie(
    source: Source<T>,
    has: Filter | undefined,
    values: readonly SortValue[] | undefined,
    position: Position | undefined,
    also: Filter | undefined,
  ): Slices<T> {
    const { reader, searchable, slice } = this.#walking;
    const query = { filter: allOf(source.within, has), order: [{ field: searchable.tie }], limit: slice };
    let after = position;
    do {
      const page = await reader.query(source.collection, { ...query, ...(after && { after }) });
      const read = page.items.map((item) => this.#candidate(source, item, values));
      yield also ? await this.#those(read, also) : read;
      after = page.next;
    } while (after);
  }

  async #those(candidates: readonly Candidate<T>[], filter: Filter): Promise<readonly Candidate<T>[]> {
    const keys: Filter = { op: 'in', field: 'key', values: candidates.map(({ key }) => key) };
    const { reader, searchable } = this.#walking;
    const page = await reader.query(searchable.collection, {
      filter: allOf(keys, filter),
      limit: candidates.length || 1,
    });
    const found = new Set(page.items.map(({ key }) => key));
    return candidates.filter(({ key }) => found.has(key));
  }

  #candidate(source: Source<T>, document: Stored<never>, values: readonly SortValue[] | undefined): Candidate<T> {
    return { ...source.read(document, values), scope: this.#scope };
  }

  /** Adds the values of all keys of the order. */
  async #completed(candidates: readonly Candidate<T>[]): Promise<Candidate<T>[]> {
    const { reader, searchable, order } = this.#walking;
    const rest = order.slice(1);
    if (rest.length === 0) return [...candidates];
    const more = await readSortValues(reader, searchable, candidates, rest);
    return candidates.map((each, i) => ({ ...each, values: [...each.values, ...more[i]!] }));
  }
}
