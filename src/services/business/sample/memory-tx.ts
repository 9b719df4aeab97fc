import type {
  Collection,
  Filter,
  Order,
  Page,
  Query,
  Scalar,
  Stored,
  TableWrites,
  Tx,
} from '../../../kernel/store/index.ts';
import type { GeneratedDocuments } from './company-cache.ts';

interface Sheet {
  readonly collection: Collection<unknown>;
  readonly documents: Map<string, Stored<unknown>>;
  /** Documents grouped by the field that nearly every query filters by. */
  readonly lists: Map<unknown, Map<string, Stored<unknown>>>;
}

const GROUPED_BY = 'list';

const notSupported = (): never => {
  throw new Error('an in-memory transaction only reads and writes documents');
};

/**
 * An in-memory transaction. A new company is created in it with the usual rules and then written to the store at once: the thousands of
 * intermediate reads and changes cost nothing, and only the result is written.
 */
export class MemoryTx implements Tx {
  readonly #sheets = new Map<string, Sheet>();
  #version = 0;

  get tables(): TableWrites {
    return notSupported();
  }

  /** All written documents, by collection. */
  *documents(): Iterable<GeneratedDocuments> {
    for (const { collection, documents } of this.#sheets.values()) {
      yield { collection, documents: [...documents.values()].map(({ key, value }) => [key, value]) };
    }
  }

  async get<T>(collection: Collection<T>, key: string): Promise<Stored<T> | undefined> {
    return this.#sheet(collection).documents.get(key) as Stored<T> | undefined;
  }

  async put<T>(collection: Collection<T>, key: string, value: T): Promise<Stored<T>> {
    const { documents, lists } = this.#sheet(collection);
    const stored: Stored<T> = { key, etag: String(++this.#version), value };
    documents.set(key, stored);
    const group = collection.fields[GROUPED_BY]?.of(value);
    const list = lists.get(group) ?? new Map<string, Stored<unknown>>();
    lists.set(group, list.set(key, stored));
    return stored;
  }

  async putAll<T>(collection: Collection<T>, documents: Iterable<readonly [string, T]>): Promise<void> {
    for (const [key, value] of documents) await this.put(collection, key, value);
  }

  async delete<T>(collection: Collection<T>, key: string): Promise<boolean> {
    const { documents, lists } = this.#sheet(collection);
    for (const list of lists.values()) list.delete(key);
    return documents.delete(key);
  }

  async query<T>(collection: Collection<T>, { filter, order = [], limit }: Query): Promise<Page<T>> {
    const { documents, lists } = this.#sheet(collection);
    const wanted = conditionsOf(filter);
    const group = wanted.find(({ field }) => field === GROUPED_BY);
    const candidates = group ? (lists.get(group.value) ?? new Map()) : documents;
    const rest = wanted.filter((condition) => condition !== group);
    const found: Stored<T>[] = [];
    for (const stored of candidates.values() as Iterable<Stored<T>>) {
      if (rest.every(({ field, value }) => columnOf(collection, stored, field) === value)) found.push(stored);
    }
    return { items: found.sort((one, other) => compare(collection, order, one, other)).slice(0, limit) };
  }

  async lock(): Promise<void> {}

  // Not needed to create a company.
  readonly count = notSupported;
  readonly change = notSupported;
  readonly newestChange = notSupported;
  readonly changesAfter = notSupported;
  readonly forgetChanges = notSupported;
  readonly schedule = notSupported;
  readonly wake = notSupported;
  readonly cancel = notSupported;
  readonly complete = notSupported;
  readonly settle = notSupported;
  readonly retry = notSupported;
  readonly park = notSupported;
  readonly afterCommit = notSupported;

  #sheet(collection: Collection<never>): Sheet {
    let sheet = this.#sheets.get(collection.name);
    if (!sheet) {
      sheet = { collection: collection as Collection<unknown>, documents: new Map(), lists: new Map() };
      this.#sheets.set(collection.name, sheet);
    }
    return sheet;
  }
}

interface Condition {
  readonly field: string;
  readonly value: Scalar | null;
}

/** Rules only query for equality of fields. */
function conditionsOf(filter: Filter | undefined): readonly Condition[] {
  if (!filter) return [];
  if (filter.op === 'eq') return [{ field: filter.field, value: filter.value }];
  if (filter.op === 'and') return filter.args.flatMap(conditionsOf);
  throw new Error(`a filter with '${filter.op}' is not supported in an in-memory transaction`);
}

function columnOf<T>(collection: Collection<T>, { key, value }: Stored<T>, field: string): Scalar | null {
  return field === 'key' ? key : ((collection.fields[field]?.of(value) ?? null) as Scalar | null);
}

function compare<T>(collection: Collection<T>, order: readonly Order[], one: Stored<T>, other: Stored<T>): number {
  for (const { field, descending = false } of [...order, { field: 'key' }]) {
    const [left, right] = [columnOf(collection, one, field), columnOf(collection, other, field)];
    if (left === right) continue;
    // Absent values sort first.
    const isLess = left === null || (right !== null && left < right);
    return isLess === descending ? 1 : -1;
  }
  return 0;
}
