import { decodeSkipToken, encodeSkipToken, ok } from '../../../../kernel/http/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { nameOf } from '../../access/standing.ts';
import { errors } from '../../errors.ts';
import { callerIdentity, type PlatformCall, routeCode } from '../../jar.ts';
import { quotaOf } from '../../limits/declared.ts';
import type { Operation } from '../../operation.ts';
import { isMetastoreAdmin } from '../core/access.ts';
import { chainById, fullNameOf } from '../core/chain.ts';
import { maxResults } from '../core/list.ts';
import { metastoreIn } from '../core/metastore.ts';
import { wireType } from '../core/privileges.ts';
import type { Securable } from '../core/securables.ts';
import { CATALOG_VERSIONS } from '../core/wire.ts';
import { findGrantable, grantableType } from '../grants/change.ts';
import { CATALOG_QUOTAS, type CatalogQuota } from './rows.ts';

/** Usage of the catalog's limits, read from the same counts that creations are checked against, so it is always current. */

async function administered(call: PlatformCall): Promise<Securable> {
  const metastore = await metastoreIn(call);
  const standing = callerIdentity(call);
  if (isMetastoreAdmin(standing, metastore)) return metastore;
  throw errors.PERMISSION_DENIED({
    reason: `User is not an owner of Metastore '${metastore.name}'. (user: ${nameOf(standing.principal)})`,
  });
}

interface Counted {
  readonly parent: string;
  readonly fullName: string;
  readonly used: number;
  readonly maximum: number;
}

const view = (
  call: PlatformCall,
  { name, parent: type }: CatalogQuota,
  { fullName, used, maximum }: Counted,
): JsonMembers => ({
  parent_securable_type: wireType(type),
  parent_full_name: fullName,
  quota_name: name,
  quota_count: used,
  quota_limit: maximum,
  last_refreshed_at: call.jar.clock.now(),
});

/** One quota of one parent. */
async function readQuota(call: PlatformCall, type: string, fullName: string, name: string): Promise<JsonMembers> {
  const metastore = await administered(call);
  const { target, above } = await findGrantable(call.jar.store, metastore, grantableType(type), fullName);
  const quota = CATALOG_QUOTAS.find((each) => each.parent === target.kind && each.name === name.toLowerCase());
  if (!quota)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `There is no quota '${name.slice(0, 100)}' of a ${target.kind}. Existing quotas: ${namesOf(target)}.`,
    });
  const limit = quotaOf(quota.row);
  const scope = limit.scope.length > 1 ? [metastore.id, target.id] : [metastore.id];
  const { used, maximum } = await call.jar.limits.quotaStanding(limit, scope);
  const parent = target.kind === 'metastore' ? target.id : fullNameOf({ target, above });
  return view(call, quota, { parent: target.id, fullName: parent, used, maximum });
}

const namesOf = ({ kind }: Securable): string =>
  CATALOG_QUOTAS.filter(({ parent }) => parent === kind)
    .map(({ name }) => name)
    .join(', ') || 'none';

const LIST = 'resource-quotas';

/** Where a page starts: the quota, and the number of its parents to skip. */
interface Place {
  readonly quota: number;
  readonly from: number;
}

/** The quotas of the metastore, and of every parent with a count. */
async function listQuotas(call: PlatformCall): Promise<JsonMembers> {
  const metastore = await administered(call);
  const size = maxResults(call, { most: 500, usual: 100 });
  const token = call.query.page_token;
  const asked = typeof token === 'string' && token !== '';
  const start = asked ? decodeSkipToken<Place>(call.jar.vault, LIST, token) : { quota: 0, from: 0 };
  if (!start)
    throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'page_token' is not a token of this list." });
  const found: JsonMembers[] = [];
  let at: Place | undefined = start;
  while (at && found.length < size) {
    const quota: CatalogQuota = CATALOG_QUOTAS[at.quota] as CatalogQuota;
    const wanted: number = size - found.length;
    const { views, more } = await quotasOf(call, metastore, quota, at.from, wanted);
    found.push(...views);
    const next: Place = more ? { quota: at.quota, from: at.from + wanted } : { quota: at.quota + 1, from: 0 };
    at = next.quota < CATALOG_QUOTAS.length ? next : undefined;
  }
  return { quotas: found, ...(at && { next_page_token: encodeSkipToken(call.jar.vault, LIST, at) }) };
}

async function quotasOf(call: PlatformCall, metastore: Securable, quota: CatalogQuota, from: number, wanted: number) {
  const limit = quotaOf(quota.row);
  const { limits, store } = call.jar;
  const used = await limits.usage(limit, { where: new Map([[0, metastore.id]]), most: from + wanted + 1 });
  if (quota.parent === 'metastore') {
    const { maximum } = limits.overrides.of(limit, [metastore.id]);
    const counted = { parent: metastore.id, fullName: metastore.id, used: used[0]?.used ?? 0, maximum };
    return { views: [view(call, quota, counted)], more: false };
  }
  const views: JsonMembers[] = [];
  for (const { scope, used: count, maximum } of used.slice(from, from + wanted)) {
    const chain = await chainById(store, scope[1] ?? '');
    // Parents that are being removed are no longer found.
    if (chain)
      views.push(view(call, quota, { parent: chain.target.id, fullName: fullNameOf(chain), used: count, maximum }));
  }
  return { views, more: used.length > from + wanted };
}

const PATH = '/unity-catalog/resource-quotas';

export const QUOTA_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: `${PATH}/all-resource-quotas`,
    versions: CATALOG_VERSIONS,
    operation: 'resourceQuotas_list',
    summary: 'List the quotas of the metastore and of its content',
    code: routeCode([], { handle: async (call) => ok(await listQuotas(call)) }),
  },
  {
    method: 'GET',
    path: `${PATH}/{parent_securable_type}/{parent_full_name}/{quota_name}`,
    versions: CATALOG_VERSIONS,
    operation: 'resourceQuotas_get',
    summary: 'Read a quota of a parent',
    code: routeCode(['parent_securable_type', 'parent_full_name', 'quota_name'], {
      async handle(call) {
        const { parent_securable_type: type, parent_full_name: parent, quota_name: name } = call.params;
        return ok({ quota_info: await readQuota(call, type, parent, name) });
      },
    }),
  },
];
