import { ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { eq, type Reader, type Tx } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { requireManager } from '../catalog/core/access.ts';
import { findChain } from '../catalog/core/chain.ts';
import { metastoreIn } from '../catalog/core/metastore.ts';
import type { Securable } from '../catalog/core/securables.ts';
import { completeFields, readFields } from '../engine/fields.ts';
import { membersOf, textOf, textsOf } from '../engine/json.ts';
import { namesOf } from '../engine/names.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, routeCode } from '../jar.ts';
import { freeCount, takeCount } from '../limits/take.ts';
import type { Operation } from '../operation.ts';
import { exchanges, type Listing, type ListingStatus, listings } from './collections.ts';
import { DETAIL_FIELDS, OTHER_NAMES, SUMMARY_FIELDS } from './fields.ts';
import { findProvider } from './providers.ts';
import { listAnswer, notFound, ofProviders, sentIn } from './wire.ts';

/** Listings: up to 250 per metastore. */

/** A listing of the caller's metastore. Listings of other metastores count as missing, since their shares are in other metastores. */
export async function findListing(reader: Reader, metastore: Pick<Securable, 'id'>, id: string): Promise<Listing> {
  const found = (await reader.get(listings, id))?.value;
  if (found?.metastore === metastore.id) return found;
  throw notFound('Listing', id);
}

export async function listingView({ jar }: Pick<PlatformCall, 'jar'>, listing: Listing): Promise<JsonMembers> {
  const { createdBy, updatedBy, publishedBy } = listing;
  const people = [createdBy, updatedBy, ...(publishedBy === undefined ? [] : [publishedBy])];
  const { nameOf } = await namesOf(jar.store, listing.accountId, people);
  return {
    id: listing.id,
    summary: omitAbsent({
      ...listing.summary,
      status: listing.status,
      provider_id: listing.provider,
      setting: { visibility: listing.isPrivate ? 'PRIVATE' : 'PUBLIC' },
      exchange_ids: listing.exchanges,
      metastore_id: listing.metastore,
      created_at: listing.createdAt,
      created_by: nameOf(createdBy),
      created_by_id: Number(createdBy),
      updated_at: listing.updatedAt,
      updated_by: nameOf(updatedBy),
      updated_by_id: Number(updatedBy),
      published_at: listing.publishedAt,
      published_by: publishedBy === undefined ? undefined : nameOf(publishedBy),
    }),
    detail: listing.detail,
  };
}

interface Said {
  readonly provider: string | undefined;
  readonly status: ListingStatus;
  readonly isPrivate: boolean;
  readonly exchanges: readonly string[];
  readonly summary: JsonMembers;
  readonly detail: JsonMembers;
}

function readListing(call: PlatformCall): Said {
  const sent = sentIn(call, 'listing');
  const summarySent = renamed(membersOf(sent.summary));
  const whole = completeFields(SUMMARY_FIELDS, readFields(SUMMARY_FIELDS, summarySent, 'summary.'), 'summary.');
  const { status = 'DRAFT', provider_id: provider, setting, exchange_ids: ids, ...summary } = whole;
  const detail = completeFields(DETAIL_FIELDS, readFields(DETAIL_FIELDS, membersOf(sent.detail), 'detail.'), 'detail.');
  return {
    provider: textOf(provider),
    status: status as ListingStatus,
    isPrivate: membersOf(setting).visibility === 'PRIVATE',
    exchanges: textsOf(ids),
    summary,
    detail,
  };
}

const renamed = (sent: JsonMembers): JsonMembers =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [OTHER_NAMES[name] ?? name, value]));

/**
 * The status that results from a request. Public listings are reviewed before publication: a request for PUBLISHED results in PENDING, and
 * the operator of the marketplace publishes (`PATCH /_jar/platform/listings/{id}`). Private ones are published immediately.
 */
function statusOf(asked: ListingStatus, isPrivate: boolean, before: ListingStatus | undefined): ListingStatus {
  if (asked === before) return asked;
  if (asked === 'SUSPENDED' || before === 'SUSPENDED')
    throw errors.INVALID_STATE({
      reason: 'Only the operator of the marketplace can suspend a listing or release it again.',
    });
  return asked === 'PUBLISHED' && !isPrivate ? 'PENDING' : asked;
}

async function checkSaid(tx: Tx, call: PlatformCall, metastore: Securable, said: Said): Promise<void> {
  const account = accountIn(call).id;
  if (said.provider === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'summary.provider_id' });
  await findProvider(tx, account, said.provider);
  const share = textOf(membersOf(said.summary.share).name);
  if (share !== undefined) requireManager(call, await findChain(tx, metastore, 'share', share));
  for (const id of said.exchanges) {
    const exchange = (await tx.get(exchanges, id, 'none'))?.value;
    if (exchange?.accountId !== account) throw notFound('Exchange', id);
  }
  if (said.status !== 'DRAFT' && share === undefined && said.summary.git_repo === undefined)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: 'Publishing a listing requires a share or a git repository (summary.share, summary.git_repo).',
    });
}

async function createListing(call: PlatformCall): Promise<Listing> {
  const metastore = await metastoreIn(call);
  const said = readListing(call);
  const { jar } = call;
  return jar.store.transact(async (tx) => {
    await checkSaid(tx, call, metastore, said);
    await takeCount(tx, jar, { row: 'listings', scope: [metastore.id] });
    const now = jar.clock.now();
    const { id: creator } = callerIdentity(call).principal;
    const status = statusOf(said.status, said.isPrivate, undefined);
    const listing: Listing = {
      ...said,
      id: uuid(),
      accountId: accountIn(call).id,
      metastore: metastore.id,
      provider: said.provider as string,
      status,
      createdAt: now,
      createdBy: creator,
      updatedAt: now,
      updatedBy: creator,
      ...(status === 'PUBLISHED' && { publishedAt: now, publishedBy: creator }),
    };
    await tx.put(listings, listing.id, listing);
    await record(tx, call, 'create', listing);
    return listing;
  });
}

async function replaceListing(call: PlatformCall, id: string): Promise<Listing> {
  const metastore = await metastoreIn(call);
  const { jar } = call;
  return jar.store.transact(async (tx) => {
    const before = await findListing(tx, metastore, id);
    const said = readListing(call);
    await checkSaid(tx, call, metastore, { ...said, provider: said.provider ?? before.provider });
    const now = jar.clock.now();
    const { id: updatedBy } = callerIdentity(call).principal;
    const status = statusOf(said.status, said.isPrivate, before.status);
    const isNew = status === 'PUBLISHED' && before.status !== 'PUBLISHED';
    const after: Listing = {
      ...before,
      ...said,
      provider: said.provider ?? before.provider,
      status,
      updatedAt: now,
      updatedBy,
      ...(isNew && { publishedAt: now, publishedBy: updatedBy }),
    };
    await tx.put(listings, id, after);
    await record(tx, call, 'update', after);
    return after;
  });
}

async function deleteListing(call: PlatformCall, id: string): Promise<void> {
  const metastore = await metastoreIn(call);
  return call.jar.store.transact(async (tx) => {
    const listing = await findListing(tx, metastore, id);
    if (listing.status === 'PUBLISHED')
      throw errors.INVALID_STATE({ reason: `The listing ${id} is published: change it to a draft first.` });
    await tx.delete(listings, id);
    await freeCount(tx, call.jar, { row: 'listings', scope: [listing.metastore] });
    await record(tx, call, 'delete', listing);
  });
}

export const record = (tx: Tx, { jar }: Pick<PlatformCall, 'jar'>, kind: string, { id, accountId, status }: Listing) =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/accounts/${accountId}/listings/${id}`,
    outcome: 'Succeeded',
    at: jar.clock.now(),
    data: { id, status },
  });

export const LISTING_OPERATIONS: readonly Operation[] = [
  ofProviders('/listing', {
    method: 'POST',
    operation: 'providerListings_create',
    summary: 'Marketplace: create a listing',
    code: routeCode([], { handle: async (call) => ok({ listing_id: (await createListing(call)).id }) }),
  }),
  ofProviders('/listings', {
    method: 'GET',
    operation: 'providerListings_list',
    summary: 'Marketplace: list the listings of the metastore',
    code: routeCode([], {
      handle: async (call) =>
        listAnswer(call, {
          collection: listings,
          filter: eq('metastore', (await metastoreIn(call)).id),
          order: 'createdAt',
          array: 'listings',
          view: (listing) => listingView(call, listing),
        }),
    }),
  }),
  ofProviders('/listings/{id}', {
    method: 'GET',
    operation: 'providerListings_get',
    summary: 'Marketplace: read a listing',
    code: routeCode(['id'], {
      async handle(call) {
        const listing = await findListing(call.jar.store, await metastoreIn(call), call.params.id);
        return ok({ listing: await listingView(call, listing) });
      },
    }),
  }),
  ofProviders('/listings/{id}', {
    method: 'PUT',
    operation: 'providerListings_update',
    summary: 'Marketplace: replace a listing',
    code: routeCode(['id'], {
      handle: async (call) => ok({ listing: await listingView(call, await replaceListing(call, call.params.id)) }),
    }),
  }),
  ofProviders('/listings/{id}', {
    method: 'DELETE',
    operation: 'providerListings_delete',
    summary: 'Marketplace: delete a listing',
    code: routeCode(['id'], {
      async handle(call) {
        await deleteListing(call, call.params.id);
        return ok({});
      },
    }),
  }),
];
