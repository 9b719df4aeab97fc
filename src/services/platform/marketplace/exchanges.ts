import { uuid } from '../../../kernel/ids/index.ts';
import { eq, type Reader, readAll, type Tx } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { metastoreIn } from '../catalog/core/metastore.ts';
import { namesOf } from '../engine/names.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall } from '../jar.ts';
import { type Exchange, exchanges, type Listing, listings } from './collections.ts';
import { findListing } from './listings.ts';
import { notFound } from './wire.ts';

/** Exchanges: groups of metastores that can see private listings. */

const MOST_FILTERS = 1000;
const LONGEST_NAME = 255;

export async function findExchange(reader: Reader, accountId: string, id: string): Promise<Exchange> {
  const found = (await reader.get(exchanges, id))?.value;
  if (found?.accountId === accountId) return found;
  throw notFound('Exchange', id);
}

export type ExchangeFilter = Exchange['filters'][number];

export async function exchangeView({ jar }: PlatformCall, exchange: Exchange): Promise<JsonMembers> {
  const { accountId, createdBy, updatedBy, filters } = exchange;
  const people = [createdBy, updatedBy, ...filters.map((each) => each.createdBy)];
  const { nameOf } = await namesOf(jar.store, accountId, people);
  const found = await readAll(jar.store, listings, { filter: { op: 'has', field: 'exchanges', value: exchange.id } });
  return omitAbsent({
    id: exchange.id,
    name: exchange.name,
    comment: exchange.comment,
    filters: filters.map((each) => filterView(exchange.id, each, nameOf)),
    linked_listings: found.map(({ value }) => linkView(exchange, value)),
    created_at: exchange.createdAt,
    created_by: nameOf(createdBy),
    updated_at: exchange.updatedAt,
    updated_by: nameOf(updatedBy),
  });
}

export const filterView = (exchange: string, filter: ExchangeFilter, nameOf: (id: string) => string): JsonMembers =>
  omitAbsent({
    id: filter.id,
    exchange_id: exchange,
    filter_type: 'GLOBAL_METASTORE_ID',
    filter_value: filter.value,
    name: filter.name,
    created_at: filter.createdAt,
    created_by: nameOf(filter.createdBy),
  });

const linkId = (exchange: string, listing: string): string => `${exchange}.${listing}`;

export const linkView = ({ id, name }: Pick<Exchange, 'id' | 'name'>, listing: Listing): JsonMembers => ({
  id: linkId(id, listing.id),
  exchange_id: id,
  exchange_name: name,
  listing_id: listing.id,
  listing_name: String(listing.summary.name),
});

export function nameIn(sent: Sent): string {
  const name = sent.need('name');
  if (name.length <= LONGEST_NAME) return name;
  throw errors.INVALID_PARAMETER_VALUE({ reason: `The name must have at most ${LONGEST_NAME} characters.` });
}

export function exchangeIn(body: unknown): Sent {
  const sent = new Sent(body);
  return sent.member('exchange') ?? sent;
}

export function createExchange(call: PlatformCall): Promise<Exchange> {
  const sent = exchangeIn(call.body);
  const name = nameIn(sent);
  const comment = sent.text('comment');
  const now = call.jar.clock.now();
  const { id: by } = callerIdentity(call).principal;
  const filters = (sent.list('filters') ?? []).map((each) => newFilter(each, now, by));
  checkFilters(filters);
  const exchange: Exchange = {
    id: uuid(),
    accountId: accountIn(call).id,
    name,
    ...(comment !== undefined && { comment }),
    filters,
    createdAt: now,
    createdBy: by,
    updatedAt: now,
    updatedBy: by,
  };
  return call.jar.store.transact(async (tx) => {
    await tx.put(exchanges, exchange.id, exchange);
    return exchange;
  });
}

export function newFilter(sent: Sent, createdAt: number, createdBy: string): ExchangeFilter {
  if (sent.word('filter_type', ['GLOBAL_METASTORE_ID']) === undefined)
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'filter_type' });
  const name = sent.text('name');
  return { id: uuid(), value: sent.need('filter_value'), createdAt, createdBy, ...(name !== undefined && { name }) };
}

function checkFilters(filters: readonly ExchangeFilter[]): void {
  if (filters.length > MOST_FILTERS)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `An exchange can have at most ${MOST_FILTERS} filters.` });
}

/** Changes an exchange in a transaction. */
export const change = (
  call: PlatformCall,
  id: string,
  next: (before: Exchange) => Partial<Exchange>,
): Promise<Exchange> =>
  call.jar.store.transact(async (tx) => {
    const before = await findExchange(tx, accountIn(call).id, id);
    const updated = { updatedAt: call.jar.clock.now(), updatedBy: callerIdentity(call).principal.id };
    const after: Exchange = { ...before, ...next(before), ...updated };
    checkFilters(after.filters);
    await tx.put(exchanges, id, after);
    return after;
  });

/** Listings are no longer visible through a deleted exchange. */
export function deleteExchange(call: PlatformCall, id: string): Promise<void> {
  return call.jar.store.transact(async (tx) => {
    await findExchange(tx, accountIn(call).id, id);
    for (const { value } of await readAll(tx, listings, { filter: { op: 'has', field: 'exchanges', value: id } }))
      await putExchanges(tx, value, (all) => all.filter((each) => each !== id));
    await tx.delete(exchanges, id);
  });
}

async function putExchanges(
  tx: Tx,
  { id }: Listing,
  next: (all: readonly string[]) => readonly string[],
): Promise<void> {
  const listing = (await tx.get(listings, id))?.value;
  if (listing) await tx.put(listings, id, { ...listing, exchanges: next(listing.exchanges) });
}

export async function link(call: PlatformCall): Promise<JsonMembers> {
  const sent = new Sent(call.body);
  const ids = [sent.need('exchange_id'), sent.need('listing_id')] as const;
  const account = accountIn(call).id;
  const metastore = await metastoreIn(call);
  return call.jar.store.transact(async (tx) => {
    const exchange = await findExchange(tx, account, ids[0]);
    const listing = await findListing(tx, metastore, ids[1]);
    if (listing.exchanges.includes(exchange.id))
      throw errors.RESOURCE_ALREADY_EXISTS({ reason: `The listing ${listing.id} is in the exchange ${exchange.id}.` });
    await putExchanges(tx, listing, (all) => [...all, exchange.id]);
    return linkView(exchange, listing);
  });
}

export function unlink(call: PlatformCall, id: string): Promise<void> {
  const [exchange = '', listing = ''] = id.split('.');
  return call.jar.store.transact(async (tx) => {
    const found = (await tx.get(listings, listing))?.value;
    if (found?.accountId !== accountIn(call).id || !found.exchanges.includes(exchange))
      throw notFound('Listing of an exchange', id);
    await putExchanges(tx, found, (all) => all.filter((each) => each !== exchange));
  });
}

/** The exchange that contains a filter. */
export async function holderOf(call: PlatformCall, filter: string): Promise<Exchange> {
  const all = await readAll(call.jar.store, exchanges, { filter: eq('account', accountIn(call).id) });
  const found = all.find(({ value }) => value.filters.some(({ id }) => id === filter))?.value;
  if (!found) throw notFound('ExchangeFilter', filter);
  return found;
}

export function filterIn(body: unknown): Sent {
  const sent = new Sent(body);
  return sent.member('filter') ?? sent;
}
