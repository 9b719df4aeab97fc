import { ok } from '../../../kernel/http/index.ts';
import { allOf, eq, type Filter, type Reader, readAll } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { metastoreIn } from '../catalog/core/metastore.ts';
import { securableKey, securables } from '../catalog/core/securables.ts';
import { globalIdOf } from '../catalog/sharing/global-id.ts';
import { objectsOf } from '../catalog/sharing/shares/view.ts';
import { membersOf, textOf } from '../engine/json.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { EVERYBODY, exchanges, type Listing, listings, marketProviders } from './collections.ts';
import { listingView } from './listings.ts';
import { providerView } from './providers.ts';
import { listAnswer, notFound, ofConsumers } from './wire.ts';

/** Listings that consumers can find: published ones, and private ones in exchanges of their metastore. */

async function exchangesOf(call: PlatformCall): Promise<readonly string[]> {
  const value = globalIdOf(await metastoreIn(call));
  const found = await readAll(call.jar.store, exchanges, { filter: { op: 'has', field: 'members', value } });
  return found.map(({ value: { id } }) => id);
}

async function visible(call: PlatformCall): Promise<Filter> {
  return { op: 'hasAny', field: 'shownIn', values: [EVERYBODY, ...(await exchangesOf(call))] };
}

async function lookVisible(call: PlatformCall, id: string, reader: Reader): Promise<Listing | undefined> {
  const found = (await reader.get(listings, id, 'none'))?.value;
  if (found?.status !== 'PUBLISHED') return undefined;
  if (!found.isPrivate) return found;
  const own = await exchangesOf(call);
  return found.exchanges.some((each) => own.includes(each)) ? found : undefined;
}

export async function findVisible(call: PlatformCall, id: string, reader: Reader = call.jar.store): Promise<Listing> {
  const found = await lookVisible(call, id, reader);
  if (!found) throw notFound('Listing', id);
  return found;
}

/** A parameter that may be repeated, or have a list with commas. */
function valuesOf({ query }: PlatformCall, name: string): readonly string[] {
  const sent = query[name];
  const all = Array.isArray(sent) ? sent : sent === undefined || sent === '' ? [] : [sent];
  return all.flatMap((each) => String(each).split(',')).slice(0, 100);
}

function flagOf({ query }: PlatformCall, name: string): boolean | undefined {
  const { [name]: sent } = query;
  return sent === 'true' ? true : sent === 'false' ? false : undefined;
}

/** Filters by query parameters; a listing must match all of them. */
function chosen(call: PlatformCall): Filter | undefined {
  const isFree = flagOf(call, 'is_free');
  const filters: Filter[] = [];
  for (const field of ['assets', 'categories']) {
    const values = valuesOf(call, field);
    if (values.length > 0) filters.push({ op: 'hasAny', field, values });
  }
  const providers = valuesOf(call, 'provider_ids');
  if (providers.length > 0) filters.push({ op: 'in', field: 'provider', values: providers });
  if (isFree !== undefined) filters.push(eq('cost', isFree ? 'FREE' : 'PAID'));
  const isPrivate = flagOf(call, 'is_private_exchange');
  const everywhere: Filter = { op: 'has', field: 'shownIn', value: EVERYBODY };
  if (isPrivate !== undefined) filters.push(isPrivate ? { op: 'not', arg: everywhere } : everywhere);
  // There is no staff to pick listings, so nothing matches.
  if (flagOf(call, 'is_staff_pick') === true) filters.push(eq('status', 'STAFF_PICK'));
  return filters.length === 0 ? undefined : allOf(...filters);
}

async function list(call: PlatformCall, found?: Filter) {
  return listAnswer(call, {
    collection: listings,
    filter: allOf(await visible(call), chosen(call), found),
    order: 'createdAt',
    array: 'listings',
    view: (listing) => listingView(call, listing),
  });
}

async function contentOf(call: PlatformCall, id: string): Promise<readonly JsonMembers[]> {
  const listing = await findVisible(call, id);
  const share = textOf(membersOf(listing.summary.share).name);
  if (share === undefined) return [];
  const found = (await call.jar.store.get(securables, securableKey(listing.metastore, 'share', share)))?.value;
  if (!found) return [];
  return (await objectsOf(call.jar.store, found.id)).map(({ sharedAs, type }) => ({
    name: sharedAs,
    data_object_type: type,
  }));
}

async function fulfillmentOf(call: PlatformCall, id: string): Promise<JsonMembers> {
  const { summary, detail } = await findVisible(call, id);
  const isFree = detail.cost !== 'PAID' && summary.listingType === 'STANDARD';
  return {
    listing_id: id,
    fulfillment_type: isFree ? 'INSTALL' : 'REQUEST_ACCESS',
    recipient_type: 'DELTA_SHARING_RECIPIENT_TYPE_DATABRICKS',
    ...(summary.share !== undefined && { share_info: summary.share }),
    ...(summary.git_repo !== undefined && { repo_info: summary.git_repo }),
  };
}

const MOST_IDS = 100;

async function batch(call: PlatformCall): Promise<readonly JsonMembers[]> {
  const ids = valuesOf(call, 'ids').slice(0, MOST_IDS);
  const views: JsonMembers[] = [];
  for (const id of ids) {
    const found = await lookVisible(call, id, call.jar.store);
    if (found) views.push(await listingView(call, found));
  }
  return views;
}

/** Consumers find a provider if it has a published listing that they can see. */
async function isOffering(call: PlatformCall, id: string): Promise<boolean> {
  const filter = allOf(eq('provider', id), await visible(call));
  return (await call.jar.store.query(listings, { filter, limit: 1 })).items.length > 0;
}

async function visibleProvider(call: PlatformCall, id: string): Promise<JsonMembers | undefined> {
  const provider = (await call.jar.store.get(marketProviders, id))?.value;
  return provider && (await isOffering(call, id)) ? providerView(call, provider) : undefined;
}

export const CONSUMER_LISTING_OPERATIONS: readonly Operation[] = [
  ofConsumers('/listings', {
    method: 'GET',
    operation: 'consumerListings_list',
    summary: 'Marketplace: published listings',
    code: routeCode([], { handle: (call) => list(call) }),
  }),
  ofConsumers('/listings:batchGet', {
    method: 'GET',
    operation: 'consumerListings_batchGet',
    summary: 'Marketplace: several listings',
    code: routeCode([], { handle: async (call) => ok({ listings: await batch(call) }) }),
  }),
  ofConsumers('/search-listings', {
    method: 'GET',
    operation: 'consumerListings_search',
    summary: 'Marketplace: search listings by words',
    code: routeCode([], {
      handle(call) {
        const { query } = call.query;
        if (typeof query !== 'string' || query === '')
          throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'query' });
        const parts = ['name', 'subtitle', 'description'];
        return list(call, { op: 'matches', parts, phrase: query.slice(0, 1000), prefix: true });
      },
    }),
  }),
  ofConsumers('/listings/{id}', {
    method: 'GET',
    operation: 'consumerListings_get',
    summary: 'Marketplace: read a published listing',
    code: routeCode(['id'], {
      handle: async (call) => ok({ listing: await listingView(call, await findVisible(call, call.params.id)) }),
    }),
  }),
  ofConsumers('/listings/{id}/content', {
    method: 'GET',
    operation: 'consumerFulfillments_get',
    summary: 'Marketplace: list the content of a listing',
    code: routeCode(['id'], {
      handle: async (call) => ok({ shared_data_objects: await contentOf(call, call.params.id) }),
    }),
  }),
  ofConsumers('/listings/{id}/fulfillments', {
    method: 'GET',
    operation: 'consumerFulfillments_list',
    summary: 'Marketplace: read how a listing can be installed',
    code: routeCode(['id'], {
      handle: async (call) => ok({ fulfillments: [await fulfillmentOf(call, call.params.id)] }),
    }),
  }),
  ofConsumers('/providers', {
    method: 'GET',
    operation: 'consumerProviders_list',
    summary: 'Marketplace: list the providers',
    code: routeCode([], {
      async handle(call) {
        const all = await readAll(call.jar.store, listings, { filter: await visible(call) });
        const ids = [...new Set(all.map(({ value }) => value.provider))];
        return listAnswer(call, {
          collection: marketProviders,
          filter: { op: 'in', field: 'id', values: ids },
          order: 'createdAt',
          array: 'providers',
          view: (provider) => providerView(call, provider),
        });
      },
    }),
  }),
  ofConsumers('/providers:batchGet', {
    method: 'GET',
    operation: 'consumerProviders_batchGet',
    summary: 'Marketplace: several providers',
    code: routeCode([], {
      async handle(call) {
        const found: JsonMembers[] = [];
        for (const id of valuesOf(call, 'ids').slice(0, MOST_IDS)) {
          const view = await visibleProvider(call, id);
          if (view) found.push(view);
        }
        return ok({ providers: found });
      },
    }),
  }),
  ofConsumers('/providers/{id}', {
    method: 'GET',
    operation: 'consumerProviders_get',
    summary: 'Marketplace: read a provider',
    code: routeCode(['id'], {
      async handle(call) {
        const provider = await visibleProvider(call, call.params.id);
        if (!provider) throw notFound('Provider', call.params.id);
        return ok({ provider });
      },
    }),
  }),
];
