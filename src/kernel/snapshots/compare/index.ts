import type { Vault } from '../../auth/vault.ts';
import type { JarClock } from '../../clock/types.ts';
import { tableDefinitions } from '../../store/typed/definitions.ts';
import type { Collection, Store } from '../../store/types.ts';
import { isObject } from '../../values/objects.ts';
import type { Snapshot } from '../collections.ts';
import type { Drafts } from '../drafts.ts';
import { takeState } from '../take.ts';
import { type Columns, contentOfLine } from './content.ts';
import { differences } from './differences.ts';
import { type Batches, Cursor, capturedEntries, type Entry, reordered, storedEntries } from './entries.ts';
import { mergedOrder, type Place, PlaceOrder } from './order.ts';
import { type ChangedField, Veil } from './veil.ts';

export interface CompareOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: JarClock;
  readonly drafts: Drafts;
  /** All collections of this release, by name. */
  readonly collections: ReadonlyMap<string, Collection<never>>;
}

export interface CompareRequest {
  readonly from: Snapshot;
  /** Undefined compares with the present state. */
  readonly to: Snapshot | undefined;
  /** Compares only this collection. */
  readonly collection?: string | undefined;
  /** Lists differences after this place. */
  readonly after?: Place | undefined;
  /** How many differences are listed; all are counted. */
  readonly limit: number;
  /** Ends the comparison early. */
  readonly signal?: AbortSignal | undefined;
}

export interface Comparison {
  /** The time of the second content, by the jar's clock. */
  readonly toAt: number;
  readonly collections: readonly ({ readonly collection: string } & DifferenceCounts)[];
  readonly items: readonly ComparedItem[];
  /** The place of the last listed difference, if there are more. */
  readonly next?: Place;
}

export interface DifferenceCounts {
  added: number;
  removed: number;
  changed: number;
  same: number;
}

export interface ComparedItem {
  readonly collection: string;
  readonly key: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Of a changed item. */
  readonly fields?: readonly ChangedField[];
  /** True if more members differ than are listed. */
  readonly moreFields?: boolean;
}

/** More differing members of one item are not listed. */
const MOST_FIELDS = 20;

/** Reads both contents once, side by side and in the same order, so that memory does not grow with their size. */
export function compareContents(request: CompareRequest, options: CompareOptions): Promise<Comparison> {
  const { from, to, signal } = request;
  const { store, clock, drafts, collections } = options;
  const ofFrom = Object.keys(from.counts.collections);
  if (to) {
    const ofTo = Object.keys(to.counts.collections);
    const merged = mergedOrder(ofFrom, ofTo);
    const order = merged ?? [...new Set([...ofFrom, ...ofTo])];
    const open = (): Batches => storedEntries(store, to);
    const second = merged
      ? open()
      : reordered(
          open,
          order.filter((name) => ofTo.includes(name)),
        );
    return merge(storedEntries(store, from), second, to.takenAt, order, request, options);
  }
  // The capture can read collections in any order.
  const present = [...new Set([...ofFrom, ...collections.keys()])].flatMap((name) => {
    const collection = collections.get(name);
    return collection && !collection.permanent ? [collection] : [];
  });
  const order = [...new Set([...ofFrom, ...present.map(({ name }) => name)])];
  if (!store.isInMemory) {
    return store.capture(present, (parts) =>
      merge(storedEntries(store, from), capturedEntries(parts), clock.now(), order, request, options),
    );
  }
  // A capture of a database in memory holds all writers. They wait until the state is copied, as long as for a snapshot, but not until it is
  // compared, which takes longer the more differs.
  return drafts.writeTemporarily(async (id) => {
    const taken = await takeState(id, { store, clock, first: present, signal });
    const now = storedEntries(store, { id, name: 'the present state', chunks: taken.chunks });
    return merge(storedEntries(store, from), now, taken.takenAt, order, request, options);
  });
}

async function merge(
  before: Batches,
  after: Batches,
  toAt: number,
  collectionOrder: readonly string[],
  request: CompareRequest,
  options: CompareOptions,
): Promise<Comparison> {
  const order = new PlaceOrder(collectionOrder);
  const found = new Found(order, request, options);
  const one = new Cursor(before, request.signal);
  const other = new Cursor(after, request.signal);
  try {
    await Promise.all([one.step(), other.step()]);
    while (one.current || other.current) {
      const a = one.current;
      const b = other.current;
      const side = a && b ? order.compare(a, b) : a ? -1 : 1;
      found.add(side <= 0 ? a : undefined, side >= 0 ? b : undefined);
      const moved = side <= 0 ? one.step() : undefined;
      if (moved) await moved;
      const alsoMoved = side >= 0 ? other.step() : undefined;
      if (alsoMoved) await alsoMoved;
    }
  } finally {
    await Promise.allSettled([one.close(), other.close()]);
  }
  return { toAt, ...found.result() };
}

class Found {
  readonly #order: PlaceOrder;
  readonly #request: CompareRequest;
  readonly #collections: CompareOptions['collections'];
  readonly #veil: Veil;
  readonly #columns = new Map<string, readonly string[]>();
  readonly #counts = new Map<string, DifferenceCounts>();
  readonly #items: ComparedItem[] = [];
  #last: Place | undefined;
  #more = false;

  constructor(order: PlaceOrder, request: CompareRequest, { vault, collections }: CompareOptions) {
    this.#order = order;
    this.#request = request;
    this.#collections = collections;
    this.#veil = new Veil(vault, collections);
  }

  result(): Omit<Comparison, 'toAt'> {
    const collections = [...this.#counts].map(([collection, counts]) => ({ collection, ...counts }));
    return { collections, items: this.#items, ...(this.#more && this.#last && { next: this.#last }) };
  }

  /** At least one of both entries exists. */
  add(before: Entry | undefined, after: Entry | undefined): void {
    const entry = after ?? before;
    if (!entry) return;
    this.#veil.note(entry);
    noteColumns(entry, this.#columns);
    if (this.#request.collection !== undefined && this.#request.collection !== entry.collection) return;
    const counts = this.#counts.get(entry.collection) ?? { added: 0, removed: 0, changed: 0, same: 0 };
    this.#counts.set(entry.collection, counts);
    if (!before || !after) {
      const change = before ? 'removed' : 'added';
      counts[change] += 1;
      if (this.#isListed(entry)) this.#list(entry, { change });
      return;
    }
    if (sameLine(before, after)) {
      counts.same += 1;
      return;
    }
    const collection = this.#collections.get(entry.collection);
    const [one, other] = [before, after].map(({ line }) => contentOfLine(line, collection, this.#columns));
    const all = () => differences(one, other, this.#veil.sameText);
    if (all().next().done) {
      counts.same += 1;
      return;
    }
    counts.changed += 1;
    if (!this.#isListed(entry)) return;
    const { fields, more } = this.#veil.fields(all(), [before.line, after.line], MOST_FIELDS);
    this.#list(entry, { change: 'changed', fields, ...(more && { moreFields: true }) });
  }

  #isListed(place: Place): boolean {
    const { after, limit } = this.#request;
    if (after && this.#order.compare(place, after) <= 0) return false;
    if (this.#items.length < limit) return true;
    this.#more = true;
    return false;
  }

  #list(place: Entry, item: Omit<ComparedItem, 'collection' | 'key'>): void {
    const { collection, key } = place;
    this.#last = { collection, key };
    this.#items.push({ collection, key: this.#veil.key(place), ...item });
  }
}

/** Stored equally; otherwise the contents may still be equal. */
function sameLine({ line: a }: Entry, { line: b }: Entry): boolean {
  if (a.of === 'document' && b.of === 'document') return a.body === b.body;
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The definitions of typed tables come before their rows. */
function noteColumns({ line }: Entry, columns: Map<string, readonly string[]> & Columns): void {
  if (line.of !== 'document' || line.collection !== tableDefinitions.name) return;
  const definition: unknown = JSON.parse(line.body);
  if (!isObject(definition) || !Array.isArray(definition.columns)) return;
  const names = definition.columns.map((column) => (isObject(column) ? String(column.name) : ''));
  columns.set(line.key, names);
}
