import { ok } from '../../../kernel/http/index.ts';
import { eq } from '../../../kernel/store/index.ts';
import { metastoreIn } from '../catalog/core/metastore.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { exchanges, listings } from './collections.ts';
import {
  change,
  createExchange,
  deleteExchange,
  type ExchangeFilter,
  exchangeIn,
  exchangeView,
  filterIn,
  filterView,
  findExchange,
  holderOf,
  link,
  linkView,
  nameIn,
  newFilter,
  unlink,
} from './exchanges.ts';
import { findListing, listingView } from './listings.ts';
import { listAnswer, ofExchanges } from './wire.ts';

const textOf = ({ query }: PlatformCall, name: string): string => {
  const value = query[name];
  if (typeof value !== 'string' || value === '') throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: name });
  return value;
};

export const EXCHANGE_OPERATIONS: readonly Operation[] = [
  ofExchanges('/exchanges', {
    method: 'POST',
    operation: 'providerExchanges_create',
    summary: 'Exchanges: create one',
    code: routeCode([], { handle: async (call) => ok({ exchange_id: (await createExchange(call)).id }) }),
  }),
  ofExchanges('/exchanges', {
    method: 'GET',
    operation: 'providerExchanges_list',
    summary: 'Exchanges: list them',
    code: routeCode([], {
      handle: (call) =>
        listAnswer(call, {
          collection: exchanges,
          filter: eq('account', accountIn(call).id),
          order: 'createdAt',
          array: 'exchanges',
          view: (exchange) => exchangeView(call, exchange),
        }),
    }),
  }),
  ofExchanges('/exchanges/{id}', {
    method: 'GET',
    operation: 'providerExchanges_get',
    summary: 'Exchanges: read one',
    code: routeCode(['id'], {
      async handle(call) {
        const exchange = await findExchange(call.jar.store, accountIn(call).id, call.params.id);
        return ok({ exchange: await exchangeView(call, exchange) });
      },
    }),
  }),
  ofExchanges('/exchanges/{id}', {
    method: 'PUT',
    operation: 'providerExchanges_update',
    summary: 'Exchanges: change one',
    code: routeCode(['id'], {
      async handle(call) {
        await findExchange(call.jar.store, accountIn(call).id, call.params.id);
        const sent = exchangeIn(call.body);
        const name = nameIn(sent);
        const comment = sent.text('comment');
        const said = { name, ...(comment !== undefined && { comment }) };
        return ok({ exchange: await exchangeView(call, await change(call, call.params.id, () => said)) });
      },
    }),
  }),
  ofExchanges('/exchanges/{id}', {
    method: 'DELETE',
    operation: 'providerExchanges_delete',
    summary: 'Exchanges: delete one',
    code: routeCode(['id'], {
      async handle(call) {
        await deleteExchange(call, call.params.id);
        return ok({});
      },
    }),
  }),
  ofExchanges('/exchanges-for-listing', {
    method: 'POST',
    operation: 'providerExchanges_addListing',
    summary: 'Exchanges: show a listing in one',
    code: routeCode([], { handle: async (call) => ok({ exchange_for_listing: await link(call) }) }),
  }),
  ofExchanges('/exchanges-for-listing/{id}', {
    method: 'DELETE',
    operation: 'providerExchanges_deleteListing',
    summary: 'Exchanges: stop showing a listing in one',
    code: routeCode(['id'], {
      async handle(call) {
        await unlink(call, call.params.id);
        return ok({});
      },
    }),
  }),
  ofExchanges('/exchanges-for-listing', {
    method: 'GET',
    operation: 'providerExchanges_listOfListing',
    summary: 'Exchanges: list those in which a listing is shown',
    code: routeCode([], {
      async handle(call) {
        const account = accountIn(call).id;
        const listing = await findListing(call.jar.store, await metastoreIn(call), textOf(call, 'listing_id'));
        const found = await Promise.all(listing.exchanges.map((id) => findExchange(call.jar.store, account, id)));
        return ok({ exchange_listing: found.map((exchange) => linkView(exchange, listing)) });
      },
    }),
  }),
  ofExchanges('/listings-for-exchange', {
    method: 'GET',
    operation: 'providerExchanges_listListings',
    summary: 'Exchanges: list the listings in one',
    code: routeCode([], {
      async handle(call) {
        const exchange = await findExchange(call.jar.store, accountIn(call).id, textOf(call, 'exchange_id'));
        return listAnswer(call, {
          collection: listings,
          filter: { op: 'has', field: 'exchanges', value: exchange.id },
          order: 'createdAt',
          array: 'exchange_listings',
          view: async (listing) => ({ ...linkView(exchange, listing), listing: await listingView(call, listing) }),
        });
      },
    }),
  }),
  ofExchanges('/filters', {
    method: 'POST',
    operation: 'providerExchangeFilters_create',
    summary: 'Exchanges: let a metastore in',
    code: routeCode([], {
      async handle(call) {
        const sent = filterIn(call.body);
        const filter = newFilter(sent, call.jar.clock.now(), callerIdentity(call).principal.id);
        await change(call, sent.need('exchange_id'), ({ filters }) => ({ filters: [...filters, filter] }));
        return ok({ filter_id: filter.id });
      },
    }),
  }),
  ofExchanges('/filters', {
    method: 'GET',
    operation: 'providerExchangeFilters_list',
    summary: 'Exchanges: list the metastores in one',
    code: routeCode([], {
      async handle(call) {
        const exchange = await findExchange(call.jar.store, accountIn(call).id, textOf(call, 'exchange_id'));
        return ok({ filters: (await exchangeView(call, exchange)).filters ?? [] });
      },
    }),
  }),
  ofExchanges('/filters/{id}', {
    method: 'PUT',
    operation: 'providerExchangeFilters_update',
    summary: 'Exchanges: change a metastore in one',
    code: routeCode(['id'], {
      async handle(call) {
        const { id } = call.params;
        const { id: exchange } = await holderOf(call, id);
        const said = newFilter(filterIn(call.body), call.jar.clock.now(), callerIdentity(call).principal.id);
        const next = (each: ExchangeFilter): ExchangeFilter => (each.id === id ? { ...said, id } : each);
        const after = await change(call, exchange, ({ filters }) => ({ filters: filters.map(next) }));
        return ok({ filter: filterView(after.id, { ...said, id }, (by) => by) });
      },
    }),
  }),
  ofExchanges('/filters/{id}', {
    method: 'DELETE',
    operation: 'providerExchangeFilters_delete',
    summary: 'Exchanges: take a metastore out',
    code: routeCode(['id'], {
      async handle(call) {
        const { id } = call.params;
        const { id: exchange } = await holderOf(call, id);
        await change(call, exchange, ({ filters }) => ({ filters: filters.filter((each) => each.id !== id) }));
        return ok({});
      },
    }),
  }),
];
