import { ok } from '../../../../../kernel/http/index.ts';
import { type PlatformCall, routeCode } from '../../../jar.ts';
import type { Operation } from '../../../operation.ts';
import { chainsBelow, listBelow, viewChains } from '../../core/list.ts';
import type { Securable } from '../../core/securables.ts';
import { CATALOG_VERSIONS, catalogOperations, containerOf } from '../../core/wire.ts';
import { assetsOf, shareNames } from './assets.ts';
import { PROVIDERS } from './kind.ts';

const RATED = '/catalog/providers';

/** Limits the list to the provider that represents one metastore. */
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
    summary: 'Providers: list the shares of one',
    code: routeCode(['full_name'], {
      handle: async (call) => ok({ shares: await shareNames(call, call.params.full_name) }),
    }),
  },
  {
    method: 'GET',
    path: '/data-sharing/providers/{provider_name}/shares/{share_name}',
    versions: CATALOG_VERSIONS,
    operation: 'providers_listProviderShareAssets',
    summary: 'Providers: list the content of a share',
    code: routeCode(['provider_name', 'share_name'], {
      handle: async (call) => ok(await assetsOf(call, call.params.provider_name, call.params.share_name)),
    }),
  },
];
