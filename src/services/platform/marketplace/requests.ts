import { ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { eq } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { requireManager } from '../catalog/core/access.ts';
import { findChain } from '../catalog/core/chain.ts';
import { metastoreIn } from '../catalog/core/metastore.ts';
import { globalIdOf } from '../catalog/sharing/global-id.ts';
import { completeFields, type FieldRules, readFields } from '../engine/fields.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { accountIn, type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { type PersonalizationRequest, personalizationRequests, REQUEST_STATUSES } from './collections.ts';
import { findVisible } from './consumer-listings.ts';
import { findListing } from './listings.ts';
import { listAnswer, notFound, ofConsumers, ofProviders } from './wire.ts';

/** Consumers' requests for listings that are not freely available, and the providers' answers. */

const FIELDS: FieldRules = {
  intended_use: { type: 'string', required: true, least: 1, most: 10_000 },
  accepted_consumer_terms: {
    type: 'object',
    required: true,
    members: { version: { type: 'string', required: true, most: 100 } },
  },
  comment: { type: 'string', most: 10_000 },
  company: { type: 'string', most: 1000 },
  first_name: { type: 'string', most: 255 },
  last_name: { type: 'string', most: 255 },
  is_from_lighthouse: { type: 'boolean' },
  recipient_type: {
    type: 'string',
    words: ['DELTA_SHARING_RECIPIENT_TYPE_DATABRICKS', 'DELTA_SHARING_RECIPIENT_TYPE_OPEN'],
  },
};

const view = (request: PersonalizationRequest): JsonMembers => {
  const { first_name: first, last_name: last, accepted_consumer_terms: _terms, ...fields } = request.fields;
  return omitAbsent({
    ...fields,
    id: request.id,
    listing_id: request.listing,
    listing_name: request.listingName,
    provider_id: request.provider,
    metastore_id: request.metastore,
    consumer_region: regionOf(request.globalMetastore),
    contact_info: omitAbsent({ first_name: first, last_name: last, company: fields.company }),
    status: request.status,
    status_message: request.statusMessage,
    share: request.share,
    created_at: request.createdAt,
    updated_at: request.updatedAt,
  });
};

function regionOf(globalId: string): JsonMembers {
  const [cloud = '', region = ''] = globalId.split(':');
  return { cloud, region };
}

async function ask(call: PlatformCall, id: string): Promise<PersonalizationRequest> {
  const metastore = await metastoreIn(call);
  const listing = await findVisible(call, id);
  const fields = completeFields(FIELDS, readFields(FIELDS, call.body ?? {}));
  const now = call.jar.clock.now();
  const request: PersonalizationRequest = {
    id: uuid(),
    listing: listing.id,
    listingName: String(listing.summary.name),
    provider: listing.provider,
    accountId: listing.accountId,
    metastore: metastore.id,
    globalMetastore: globalIdOf(metastore),
    status: 'NEW',
    createdAt: now,
    updatedAt: now,
    fields,
  };
  return call.jar.store.transact(async (tx) => {
    await tx.lock(`platform.market-request:${metastore.id}/${listing.id}`);
    const filter = eq('listing', `${metastore.id}/${listing.id}`);
    const { items } = await tx.query(personalizationRequests, { filter, limit: 100 });
    if (items.some(({ value }) => value.status === 'NEW' || value.status === 'REQUEST_PENDING'))
      throw errors.RESOURCE_ALREADY_EXISTS({ reason: `There is an open request for the listing ${listing.id}.` });
    await tx.put(personalizationRequests, request.id, request);
    return request;
  });
}

async function answer(call: PlatformCall, listing: string, id: string): Promise<PersonalizationRequest> {
  const metastore = await metastoreIn(call);
  return call.jar.store.transact(async (tx) => {
    const found = (await tx.get(personalizationRequests, id))?.value;
    if (found?.accountId !== accountIn(call).id || found.listing !== listing)
      throw notFound('Personalization request', id);
    // The share is looked up in the metastore of the listing.
    await findListing(tx, metastore, listing);
    const sent = new Sent(call.body);
    const status = sent.word('status', REQUEST_STATUSES);
    if (status === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'status' });
    const reason = sent.text('reason');
    const share = sent.member('share');
    // To give a share to consumers, the caller must manage it, as for the share of a listing.
    if (share) requireManager(call, await findChain(tx, metastore, 'share', share.need('name')));
    const after: PersonalizationRequest = {
      ...found,
      status,
      updatedAt: call.jar.clock.now(),
      ...(reason !== undefined && { statusMessage: reason.slice(0, 10_000) }),
      ...(share && { share: { name: share.need('name'), type: share.word('type', ['FULL', 'SAMPLE']) ?? 'FULL' } }),
    };
    await tx.put(personalizationRequests, id, after);
    return after;
  });
}

const OF_LISTING = '/listings/{listing_id}/personalization-requests';

export const REQUEST_OPERATIONS: readonly Operation[] = [
  ofConsumers(OF_LISTING, {
    method: 'POST',
    operation: 'consumerPersonalizationRequests_create',
    summary: 'Marketplace: ask for a listing',
    code: routeCode(['listing_id'], {
      handle: async (call) => ok({ id: (await ask(call, call.params.listing_id)).id }),
    }),
  }),
  ofConsumers(OF_LISTING, {
    method: 'GET',
    operation: 'consumerPersonalizationRequests_get',
    summary: 'Marketplace: list the requests for a listing',
    code: routeCode(['listing_id'], {
      async handle(call) {
        const { id } = await metastoreIn(call);
        return listAnswer(call, {
          collection: personalizationRequests,
          filter: eq('listing', `${id}/${call.params.listing_id}`),
          order: 'createdAt',
          array: 'personalization_requests',
          view,
        });
      },
    }),
  }),
  ofConsumers('/personalization-requests', {
    method: 'GET',
    operation: 'consumerPersonalizationRequests_list',
    summary: 'Marketplace: list the requests of the metastore',
    code: routeCode([], {
      handle: async (call) =>
        listAnswer(call, {
          collection: personalizationRequests,
          filter: eq('metastore', (await metastoreIn(call)).id),
          order: 'createdAt',
          array: 'personalization_requests',
          view,
        }),
    }),
  }),
  ofProviders('/personalization-requests', {
    method: 'GET',
    operation: 'providerPersonalizationRequests_list',
    summary: 'Marketplace: list the requests of consumers',
    code: routeCode([], {
      handle: (call) =>
        listAnswer(call, {
          collection: personalizationRequests,
          filter: eq('account', accountIn(call).id),
          order: 'createdAt',
          array: 'personalization_requests',
          view,
        }),
    }),
  }),
  ofProviders(`${OF_LISTING}/{request_id}/request-status`, {
    method: 'PUT',
    operation: 'providerPersonalizationRequests_update',
    summary: 'Marketplace: answer a request',
    code: routeCode(['listing_id', 'request_id'], {
      handle: async (call) => ok({ request: view(await answer(call, call.params.listing_id, call.params.request_id)) }),
    }),
  }),
];
