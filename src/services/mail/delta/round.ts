import { type Answer, ok } from '../../../kernel/http/index.ts';
import { allOf, atMost, type Collection, eq, type Filter, type Order } from '../../../kernel/store/index.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf } from '../api/show.ts';
import { lightPages } from '../messages/light-pages.ts';
import { type Removal, removals } from './collections.ts';
import type { ChangeType } from './options.ts';
import { linkTo, type Place, type Round } from './token.ts';

export type Row = Readonly<Record<string, unknown>>;

interface Numbered {
  readonly number: number;
  readonly createdNumber: number;
}

/** The items of a delta, and how they are shown. */
export interface DeltaSource<T extends Numbered> {
  /** Kind of the tokens, for example `messages`. */
  readonly kind: string;
  /** Name in the context and in the types of rows, for example `message`. */
  readonly entity: string;
  readonly collection: Collection<T>;
  /** Filter for the items, with any number. */
  readonly where: Filter;
  /** Filter for the removals of these items. */
  readonly removed: Filter;
  /** The rows of each item, in the same order. */
  rows(items: readonly T[]): Promise<readonly (readonly Row[])[]>;
  /** An item can have many rows: rows are built one item at a time, until the page is full. */
  readonly hasManyRows?: boolean;
  /** Undefined if the removal is not reported, since the item still exists under the same id. */
  removedId(removal: Removal): Promise<string | undefined> | string | undefined;
  /** Ids of the parts of a removed item. */
  partsOf?(removal: Removal): Promise<readonly string[]>;
  readonly changeTypes: ReadonlySet<ChangeType>;
  /** Order and filter of the first round, instead of all items in the order of their changes. */
  readonly first?: { readonly filter?: Filter; readonly order: readonly Order[]; readonly mostRows?: number };
  /** Decides if an item created in a later round is shown; by default all are. */
  matches?(item: T): boolean;
}

interface Read {
  readonly rows: readonly Row[];
  /** Start of the next page; undefined at the end of the round. */
  readonly next: Place | undefined;
}

/** One page of a round. */
export async function roundAnswer<T extends Numbered>(
  call: MailCall,
  source: DeltaSource<T>,
  round: Round,
  size: number,
): Promise<Answer> {
  const { rows, next } = await readRound(call, source, round, size);
  const { kind } = source;
  const { upTo, from: _from, place: _place, ...rest } = round;
  return ok({
    '@odata.context': `${baseOf(call)}/$metadata#Collection(${source.entity})`,
    ...(next && { '@odata.nextLink': linkTo(call, kind, 'skiptoken', { ...round, place: next }) }),
    ...(!next && { '@odata.deltaLink': linkTo(call, kind, 'deltatoken', { ...rest, from: upTo, place: {} }) }),
    value: rows,
  });
}

function readRound<T extends Numbered>(
  call: MailCall,
  source: DeltaSource<T>,
  round: Round,
  size: number,
): Promise<Read> {
  if (round.from !== undefined) return readChanges(call, source, round, size);
  if (!source.changeTypes.has('created')) return Promise.resolve({ rows: [], next: undefined });
  return source.first ? readOrdered(call, source, round, size) : readChanges(call, source, round, size);
}

/** Reads the first round in its own order. Items that change meanwhile get a higher number and belong to the next round. */
async function readOrdered<T extends Numbered>(
  { jar }: MailCall,
  { collection, where, first, rows }: DeltaSource<T>,
  { upTo, place }: Round,
  size: number,
): Promise<Read> {
  const { given = 0, position } = place;
  const room = (first?.mostRows ?? Number.POSITIVE_INFINITY) - given;
  const page = await lightPages(jar.store).query(collection, {
    filter: allOf(where, atMost('number', upTo), first?.filter),
    order: first?.order,
    after: position,
    limit: Math.min(size, room),
  });
  const shown = await rows(page.items.map(({ value }) => value));
  const isLast = page.next === undefined || page.items.length >= room;
  return {
    rows: shown.flat(),
    next: isLast ? undefined : { position: page.next, given: given + page.items.length },
  };
}

type Entry<T> = { readonly number: number } & ({ readonly item: T } | { readonly removal: Removal });

/** Reads the changes in order: items by their latest number, and removals, except in a first round. */
async function readChanges<T extends Numbered>(
  call: MailCall,
  source: DeltaSource<T>,
  round: Round,
  size: number,
): Promise<Read> {
  const { place, from, upTo } = round;
  const after = place.number ?? from ?? 0;
  const { entries, hasMore } = await entriesAfter(call, source, round, after, size);
  const items = entries.flatMap((entry) =>
    'item' in entry && isWanted(source, round, entry.item) ? [entry.item] : [],
  );
  const rowsOf = await rowsByItem(source, items);
  const rows: Row[] = [];
  let done = after;
  for (const { number, ...entry } of entries) {
    if (rows.length >= size) return { rows, next: { number: done } };
    const all = 'removal' in entry ? await removedRows(source, round, entry.removal) : await rowsOf(entry.item);
    const shown = place.begun?.number === number ? place.begun.rows : 0;
    const part = all.slice(shown, shown + size - rows.length);
    rows.push(...part);
    if (shown + part.length < all.length)
      return { rows, next: { number: done, begun: { number, rows: shown + part.length } } };
    done = number;
  }
  return { rows, next: hasMore && done < upTo ? { number: done } : undefined };
}

/** Builds the rows of all items at once if that is cheaper. Unwanted items have no rows. */
async function rowsByItem<T extends Numbered>(source: DeltaSource<T>, items: readonly T[]) {
  const all = source.hasManyRows ? [] : await source.rows(items);
  const known = new Map(items.map((item, at) => [item, all[at]]));
  return async (item: T): Promise<readonly Row[]> => {
    if (!known.has(item)) return [];
    return known.get(item) ?? (await source.rows([item]))[0] ?? [];
  };
}

async function entriesAfter<T extends Numbered>(
  { jar, mailbox }: MailCall,
  { collection, where, removed: leaving, changeTypes }: DeltaSource<T>,
  { from, upTo }: Round,
  after: number,
  limit: number,
): Promise<{ readonly entries: readonly Entry<T>[]; readonly hasMore: boolean }> {
  const numbers: Filter = allOf({ op: 'gt', field: 'number', value: after }, atMost('number', upTo));
  const order = [{ field: 'number' }];
  const changed = await lightPages(jar.store).query(collection, { filter: allOf(where, numbers), order, limit });
  // If large items end their page early, the removals after them belong to the next page.
  const last = changed.next === undefined ? upTo : (changed.items.at(-1)?.value.number ?? upTo);
  const removed =
    from === undefined || !changeTypes.has('deleted')
      ? { items: [] }
      : await jar.store.query(removals, {
          filter: allOf(eq('mailbox', mailbox.id), leaving, numbers, atMost('number', last)),
          order,
          limit,
        });
  const entries: Entry<T>[] = [
    ...changed.items.map(({ value }) => ({ number: value.number, item: value })),
    ...removed.items.map(({ value }) => ({ number: value.number, removal: value })),
  ];
  entries.sort((a, b) => a.number - b.number);
  return {
    entries: entries.slice(0, limit),
    hasMore: entries.length > limit || changed.next !== undefined || removed.next !== undefined,
  };
}

/** A filter applies to new items only. For existing items every change is reported, as in the real service. */
function isWanted<T extends Numbered>(source: DeltaSource<T>, { from }: Round, item: T): boolean {
  const isNew = from === undefined || item.createdNumber > from;
  if (!isNew) return source.changeTypes.has('updated');
  return source.changeTypes.has('created') && (source.matches?.(item) ?? true);
}

/** An item that was created and removed within the round is not reported. */
async function removedRows<T extends Numbered>(
  { entity, removedId, partsOf }: DeltaSource<T>,
  { from = 0 }: Round,
  removal: Removal,
): Promise<readonly Row[]> {
  if (removal.createdNumber > from) return [];
  const id = await removedId(removal);
  if (id === undefined) return [];
  return [id, ...((await partsOf?.(removal)) ?? [])].map((each) => removedRow(entity, each));
}

export const removedRow = (entity: string, id: string): Row => ({
  '@odata.type': `#microsoft.graph.${entity}`,
  '@removed': { reason: 'deleted' },
  id,
});
