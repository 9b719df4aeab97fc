import { ok } from '../../../../../kernel/http/index.ts';

import { errors } from '../../../errors.ts';
import { type PlatformCall, routeCode } from '../../../jar.ts';
import type { Operation } from '../../../operation.ts';
import { metastoreOf } from '../../core/chain.ts';
import { chainsBelow, listBelow, viewChains } from '../../core/list.ts';
import type { Securable } from '../../core/securables.ts';
import { CATALOG_VERSIONS, catalogOperations, containerOf, readSecurable } from '../../core/wire.ts';
import type { SharedObject } from '../collections.ts';
import { readableShares, recipientBehind } from '../readable-shares.ts';
import { recipientOf } from '../recipients/tokens.ts';
import { objectsOf } from '../shares/view.ts';
import { PROVIDERS, profileOf } from './kind.ts';

/** What a provider shares with this metastore. Providers are other metastores of this jar; one outside of it cannot be asked. */
async function sharesOf(call: PlatformCall, name: string): Promise<readonly Securable[]> {
  const chain = await readSecurable(call, PROVIDERS, name);
  const { store, clock } = call.jar;
  const profile = profileOf(call.jar, chain.target);
  const recipient = profile
    ? await recipientOf(store, profile.bearer, clock.now())
    : await recipientBehind(store, chain.target, metastoreOf(chain));
  if (profile && !recipient)
    throw errors.INVALID_STATE({
      reason: `The endpoint ${profile.endpoint} of the provider '${chain.target.name}' is not this jar, or its token does not hold any more: its shares cannot be read.`,
    });
  return recipient ? readableShares(store, recipient) : [];
}

async function assetsOf(call: PlatformCall, provider: string, name: string): Promise<object> {
  const share = (await sharesOf(call, provider)).find((each) => each.name === name.toLowerCase());
  if (!share)
    throw errors.RESOURCE_DOES_NOT_EXIST({
      reason: `The provider '${provider.slice(0, 255)}' shares no '${name.slice(0, 255)}'.`,
    });
  const found = await objectsOf(call.jar.store, share.id);
  const named = (types: readonly SharedObject['type'][]): readonly object[] =>
    found.filter(({ type }) => types.includes(type)).map((each) => assetView(share, each));
  return {
    share: {
      name: share.name,
      id: share.id,
      ...(share.fields.comment !== undefined && { comment: share.fields.comment }),
    },
    tables: named(['TABLE', 'VIEW', 'MATERIALIZED_VIEW', 'STREAMING_TABLE', 'FOREIGN_TABLE']),
    volumes: named(['VOLUME']),
    functions: named(['FUNCTION', 'FEATURE_SPEC']),
    models: named(['MODEL']),
    notebooks: named(['NOTEBOOK_FILE']),
  };
}

function assetView(share: Securable, { sharedAs, securable, type, fields }: SharedObject): object {
  const [schema, ...rest] = sharedAs.split('.');
  const isNotebook = type === 'NOTEBOOK_FILE';
  return {
    name: isNotebook ? sharedAs : rest.join('.'),
    share: share.name,
    share_id: share.id,
    ...(!isNotebook && { schema }),
    ...(securable !== undefined && { id: securable }),
    ...(fields.comment !== undefined && { comment: fields.comment }),
  };
}

const RATED = '/catalog/providers';

/** Those of one other metastore. */
function byGlobalId(call: PlatformCall, { value }: { readonly value: Securable }): boolean {
  const asked = call.query.data_provider_global_metastore_id;
  return typeof asked !== 'string' || asked === '' || value.fields.data_provider_global_metastore_id === asked;
}

export const PROVIDER_OPERATIONS: readonly Operation[] = [
  ...catalogOperations(PROVIDERS, {
    of: 'Providers',
    operations: 'providers',
    path: '/providers',
    array: 'providers',
    rated: RATED,
    verbs: ['create', 'get', 'update', 'delete'],
  }),
  {
    method: 'GET',
    path: '/unity-catalog/providers',
    versions: CATALOG_VERSIONS,
    rated: RATED,
    bare: [RATED],
    operation: 'providers_list',
    summary: 'Providers: list them',
    code: routeCode([], {
      async handle(call) {
        const above = await containerOf(call, PROVIDERS);
        const { items, next } = await listBelow(call, PROVIDERS, above);
        const shown = items.filter((each) => byGlobalId(call, each));
        const providers = await viewChains(call, PROVIDERS, chainsBelow(above, shown));
        return ok({ providers, ...(next !== undefined && { next_page_token: next }) });
      },
    }),
  },
  {
    method: 'GET',
    path: '/unity-catalog/providers/{full_name}/shares',
    versions: CATALOG_VERSIONS,
    rated: `${RATED}/{full_name}/shares`,
    bare: [`${RATED}/{full_name}/shares`],
    operation: 'providers_listShares',
    summary: 'Providers: what one shares with this metastore',
    code: routeCode(['full_name'], {
      handle: async (call) =>
        ok({ shares: (await sharesOf(call, call.params.full_name)).map(({ name }) => ({ name })) }),
    }),
  },
  {
    method: 'GET',
    path: '/data-sharing/providers/{provider_name}/shares/{share_name}',
    versions: CATALOG_VERSIONS,
    operation: 'providers_listProviderShareAssets',
    summary: 'Providers: what is in a share of one',
    code: routeCode(['provider_name', 'share_name'], {
      handle: async (call) => ok(await assetsOf(call, call.params.provider_name, call.params.share_name)),
    }),
  },
];
