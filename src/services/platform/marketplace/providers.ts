import { ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { eq, type Reader } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { completeFields, readFields } from '../engine/fields.ts';
import { namesOf } from '../engine/names.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, routeCode } from '../jar.ts';
import { freeCount, takeCount } from '../limits/take.ts';
import type { Operation } from '../operation.ts';
import { listings, type MarketProvider, marketProviders } from './collections.ts';
import { PROVIDER_FIELDS } from './fields.ts';
import { listAnswer, notFound, ofProviders, sentIn } from './wire.ts';

/** Providers of listings: up to 20 per account. */

export async function findProvider(reader: Reader, accountId: string | undefined, id: string): Promise<MarketProvider> {
  const found = (await reader.get(marketProviders, id))?.value;
  if (found && (accountId === undefined || found.accountId === accountId)) return found;
  throw notFound('Provider', id);
}

export async function providerView(call: Pick<PlatformCall, 'jar'>, provider: MarketProvider): Promise<JsonMembers> {
  const { nameOf } = await namesOf(call.jar.store, provider.accountId, [provider.createdBy]);
  return { ...provider.fields, id: provider.id, is_featured: false, published_by: nameOf(provider.createdBy) };
}

function createProvider(call: PlatformCall): Promise<MarketProvider> {
  const fields = completeFields(PROVIDER_FIELDS, readFields(PROVIDER_FIELDS, sentIn(call, 'provider')));
  const { id: accountId } = accountIn(call);
  const provider: MarketProvider = {
    id: uuid(),
    accountId,
    createdAt: call.jar.clock.now(),
    createdBy: callerIdentity(call).principal.id,
    fields,
  };
  return call.jar.store.transact(async (tx) => {
    await takeCount(tx, call.jar, { row: 'marketplace-providers', scope: [accountId] });
    await tx.put(marketProviders, provider.id, provider);
    return provider;
  });
}

function replaceProvider(call: PlatformCall, id: string): Promise<MarketProvider> {
  return call.jar.store.transact(async (tx) => {
    const before = await findProvider(tx, accountIn(call).id, id);
    const fields = completeFields(PROVIDER_FIELDS, readFields(PROVIDER_FIELDS, sentIn(call, 'provider')));
    const after = { ...before, fields };
    await tx.put(marketProviders, id, after);
    return after;
  });
}

function deleteProvider(call: PlatformCall, id: string): Promise<void> {
  return call.jar.store.transact(async (tx) => {
    const { accountId } = await findProvider(tx, accountIn(call).id, id);
    if ((await tx.query(listings, { filter: eq('provider', id), limit: 1 })).items.length > 0)
      throw errors.INVALID_STATE({ reason: `The provider ${id} has listings: delete them first.` });
    await tx.delete(marketProviders, id);
    await freeCount(tx, call.jar, { row: 'marketplace-providers', scope: [accountId] });
  });
}

export const PROVIDER_OPERATIONS: readonly Operation[] = [
  ofProviders('/provider', {
    method: 'POST',
    operation: 'providerProviders_create',
    summary: 'Marketplace: create a provider',
    code: routeCode([], { handle: async (call) => ok({ id: (await createProvider(call)).id }) }),
  }),
  ofProviders('/providers', {
    method: 'GET',
    operation: 'providerProviders_list',
    summary: 'Marketplace: list the providers of the account',
    code: routeCode([], {
      handle: (call) =>
        listAnswer(call, {
          collection: marketProviders,
          filter: eq('account', accountIn(call).id),
          order: 'createdAt',
          array: 'providers',
          view: (provider) => providerView(call, provider),
        }),
    }),
  }),
  ofProviders('/providers/{id}', {
    method: 'GET',
    operation: 'providerProviders_get',
    summary: 'Marketplace: read a provider',
    code: routeCode(['id'], {
      async handle(call) {
        const provider = await findProvider(call.jar.store, accountIn(call).id, call.params.id);
        return ok({ provider: await providerView(call, provider) });
      },
    }),
  }),
  ofProviders('/providers/{id}', {
    method: 'PUT',
    operation: 'providerProviders_update',
    summary: 'Marketplace: replace a provider',
    code: routeCode(['id'], {
      handle: async (call) => ok({ provider: await providerView(call, await replaceProvider(call, call.params.id)) }),
    }),
  }),
  ofProviders('/providers/{id}', {
    method: 'DELETE',
    operation: 'providerProviders_delete',
    summary: 'Marketplace: delete a provider',
    code: routeCode(['id'], {
      async handle(call) {
        await deleteProvider(call, call.params.id);
        return ok({});
      },
    }),
  }),
];
