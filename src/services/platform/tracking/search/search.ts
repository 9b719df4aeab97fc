import { allOf, type Filter, type Reader, type Stored } from '../../../../kernel/store/index.ts';
import { filterOf } from './compile.ts';
import { type Found, findByValues } from './find.ts';
import type { Comparison, OrderKey } from './language.ts';
import { merged } from './merged.ts';
import type { Scope, Searchable } from './searchable.ts';
import { type Place, placesInOrder } from './sort.ts';
import { readSortValues } from './sort-values.ts';
import { type Candidate, Walk, type Walking } from './walk.ts';

export interface Search {
  readonly scopes: readonly Scope[];
  readonly comparisons: readonly Comparison[];
  /** Further conditions on the records. */
  readonly also?: readonly Filter[];
  readonly order: readonly OrderKey[];
  readonly after?: Place | undefined;
  readonly limit: number;
}

export interface SearchPage<T> {
  readonly things: readonly Stored<T>[];
  /** End of the page, if further results exist. */
  readonly next?: Place;
}

export interface Tuning {
  /** Number of candidates that are read and tested per query. Each test costs an index lookup per comparison. */
  readonly slices: { readonly least: number; readonly most: number };
  readonly sorted: Walking<never>['sorted'];
  /**
   * Alternating bounds: the number of candidates that a walk examines, or that a comparison may find. The last attempt is a walk to the
   * end.
   */
  readonly attempts: readonly ({ readonly find: number } | { readonly walk: number })[];
}

const TUNING: Tuning = {
  slices: { least: 200, most: 1000 },
  sorted: 5000,
  attempts: [{ find: 500 }, { walk: 2000 }, { find: 10_000 }, { walk: 50_000 }, { find: 100_000 }],
};

/**
 * A page of a search, found in one of two ways. Walking along the index of the order and testing each record is fast for a filter that
 * matches many records. Finding all candidates by the index of the most selective comparison and sorting them is fast for a filter that
 * matches few. The number of matches is not known in advance, so both ways are tried alternately with growing bounds. The page is the same
 * either way, and every query is bounded, so that no search blocks others.
 */
export async function searchPage<T>(
  reader: Pick<Reader, 'query'>,
  searchable: Searchable<T>,
  search: Search,
  tuning = TUNING,
): Promise<SearchPage<T>> {
  return new Searching(reader, searchable, search, tuning).page();
}

class Searching<T> {
  readonly #reader: Pick<Reader, 'query'>;
  readonly #searchable: Searchable<T>;
  readonly #search: Search;
  readonly #tuning: Tuning;
  readonly #conditions: readonly Filter[];
  readonly #matches: (Candidate<T> & { readonly thing: Stored<T> })[] = [];

  constructor(reader: Pick<Reader, 'query'>, searchable: Searchable<T>, search: Search, tuning: Tuning) {
    this.#tuning = tuning;
    this.#reader = reader;
    this.#searchable = searchable;
    this.#search = search;
    this.#conditions = [...filterOf(searchable, search.comparisons), ...(search.also ?? [])];
  }

  async page(): Promise<SearchPage<T>> {
    const { scopes, comparisons, after } = this.#search;
    const walking = this.#walking();
    const walk = merged(
      scopes.map((scope) => new Walk(walking, scope).from(after)),
      this.#compare,
      walking.slice,
    );
    try {
      if (comparisons.length > 0) {
        for (const attempt of this.#tuning.attempts) {
          if ('walk' in attempt) {
            if (await this.#walkOn(walk, attempt.walk)) return this.#ended(this.#matches);
            continue;
          }
          const found = await findByValues(this.#reader, this.#searchable, scopes, comparisons, attempt.find);
          if (found) return this.#ended(await this.#sorted(found));
        }
      }
      await this.#walkOn(walk, Number.POSITIVE_INFINITY);
      return this.#ended(this.#matches);
    } finally {
      await walk.return(undefined);
    }
  }

  get #compare() {
    return placesInOrder(this.#search.order, this.#searchable.equalsByKeyDescending);
  }

  #walking(): Walking<T> {
    const { order, limit, scopes } = this.#search;
    const { least, most } = this.#tuning.slices;
    const wanted = this.#conditions.length === 0 ? limit + 1 : 2 * limit;
    const slice = Math.min(Math.max(Math.ceil(wanted / scopes.length), least), most);
    return { reader: this.#reader, searchable: this.#searchable, order, slice, sorted: this.#tuning.sorted };
  }

  /** Returns true once the page is full or the walk has ended. */
  async #walkOn(walk: AsyncGenerator<readonly Candidate<T>[]>, most: number): Promise<boolean> {
    for (let looked = 0; looked < most; ) {
      const { value: candidates, done } = await walk.next();
      if (done) return true;
      looked += candidates.length;
      for (const match of await this.#tested(candidates)) this.#matches.push(match);
      if (this.#matches.length > this.#search.limit) return true;
    }
    return false;
  }

  /** The candidates that satisfy the filter, in the same order. */
  async #tested<C extends Candidate<T> | Found>(
    candidates: readonly C[],
  ): Promise<(C & { readonly thing: Stored<T> })[]> {
    const found = new Map<C, Stored<T>>();
    const unknown: C[] = [];
    for (const candidate of candidates) {
      const { thing } = candidate as Partial<Candidate<T>>;
      if (thing && this.#conditions.length === 0) found.set(candidate, thing);
      else unknown.push(candidate);
    }
    const { most } = this.#tuning.slices;
    for (const [scope, some] of Map.groupBy(unknown, (candidate) => candidate.scope)) {
      for (let start = 0; start < some.length; start += most) {
        const slice = some.slice(start, start + most);
        const keys: Filter = { op: 'in', field: 'key', values: slice.map(({ key }) => key) };
        const filter = allOf(keys, scope.within, ...this.#conditions);
        const { items } = await this.#reader.query(this.#searchable.collection, { filter, limit: slice.length });
        const things = new Map(items.map((item) => [item.key, item]));
        for (const candidate of slice) {
          const thing = things.get(candidate.key);
          if (thing) found.set(candidate, thing);
        }
      }
    }
    return candidates.flatMap((candidate) => {
      const thing = found.get(candidate);
      return thing ? [{ ...candidate, thing }] : [];
    });
  }

  async #sorted(found: readonly Found[]) {
    const { order, after } = this.#search;
    const matches = await this.#tested(found);
    const values = await readSortValues(this.#reader, this.#searchable, matches, order);
    const placed = matches.map((match, i) => ({
      ...match,
      values: values[i]!,
      tie: this.#searchable.tieOf(match.thing.value),
    }));
    const compare = this.#compare;
    return placed.filter((each) => !after || compare(each, after) > 0).sort(compare);
  }

  #ended(matches: readonly (Place & { readonly thing: Stored<T> })[]): SearchPage<T> {
    const { limit } = this.#search;
    const page = matches.slice(0, limit);
    const last = page.at(-1);
    const things = page.map(({ thing }) => thing);
    if (matches.length <= limit || !last) return { things };
    const { values, tie, key } = last;
    return { things, next: { values, tie, key } };
  }
}
