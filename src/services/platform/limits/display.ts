import { subscriptions } from '../../../kernel/arm/index.ts';
import { decodeSkipToken, encodeSkipToken, ok } from '../../../kernel/http/index.ts';
import { namedScope, sourceOf } from '../../../kernel/limits/index.ts';
import { eq } from '../../../kernel/store/index.ts';
import { isAdminOf, isMemberOf } from '../access/standing.ts';
import { workspaces } from '../accounts/collections.ts';
import { metastoreAssignments } from '../catalog/core/collections.ts';
import { pageSize } from '../engine/paging.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, routeCode, workspaceIn } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { ownScope } from './own-scope.ts';
import { SHOWN_ROWS, type ShownRow } from './shown-rows.ts';
import { useOf, type Visible } from './use.ts';

/** Rates in Redis are read in one batch per so many rows, and the store is not asked for more than it has connections. */
const ROWS_AT_ONCE = 10;

/**
 * Both tables of limits, and the limits outside of them, with the effective values and the usage for the caller. The real service has no
 * such operation.
 */
const listLimits = routeCode([], {
  async handle(call) {
    const rows = SHOWN_ROWS.filter(chosenBy(call));
    const size = pageSize(call.query, { usual: 50, most: 100 });
    const from = startOf(call);
    const page = rows.slice(from, from + size);
    const visible = await visibleTo(call);
    const limits: object[] = [];
    for (let at = 0; at < page.length; at += ROWS_AT_ONCE)
      limits.push(...(await Promise.all(page.slice(at, at + ROWS_AT_ONCE).map((row) => view(call, row, visible)))));
    const next = from + size < rows.length ? encodeSkipToken(call.jar.vault, listOf(call), { from: from + size }) : '';
    return ok({ limits, ...(next !== '' && { next_page_token: next }) });
  },
});

export const LIMIT_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/platform/limits',
    operation: 'limits_list',
    summary:
      'Limits: list every row of the tables of resource limits and rate limits, and further limits, with effective values and usage',
    code: listLimits,
  },
];

function chosenBy({ query }: PlatformCall): (row: ShownRow) => boolean {
  const wanted = (name: string): string | undefined => {
    const value = query[name];
    return typeof value === 'string' && value !== '' ? value.toLowerCase() : undefined;
  };
  const [resource, scope] = [wanted('resource'), wanted('scope')];
  return (row) =>
    (resource === undefined || row.resource.toLowerCase() === resource) &&
    (scope === undefined || row.scope.toLowerCase() === scope);
}

/** A page token is valid for a list with the same filters. */
const listOf = ({ query: { resource = '', scope = '' } }: PlatformCall): string =>
  JSON.stringify(['platform.limits', resource, scope]);

function startOf(call: PlatformCall): number {
  const token = call.query.page_token;
  if (typeof token !== 'string' || token === '') return 0;
  const place = decodeSkipToken<{ readonly from: number }>(call.jar.vault, listOf(call), token);
  if (!place)
    throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'page_token' is not a token of this list." });
  return place.from;
}

/** Maximum workspaces whose usage is shown besides that of the call's workspace. */
const MOST_WORKSPACES = 20;
const MOST_SUBSCRIPTIONS = 100;

/** The caller's workspaces, account and address; for administrators of the account also the tenant's subscriptions. */
async function visibleTo(call: PlatformCall): Promise<Visible> {
  const { store } = call.jar;
  const { id: account, tenantId } = accountIn(call);
  const standing = callerIdentity(call);
  const own = workspaceIn(call).id;
  const all = await store.query(workspaces, {
    filter: eq('account', account),
    order: [{ field: 'name' }],
    limit: 1000,
  });
  const everyone = all.items.map(({ value }) => value);
  const others = everyone
    .filter((each) => each.id !== own && (standing.isAccountAdmin || isMemberOf(standing, each)))
    .map(({ id }) => id);
  const administered = new Set(
    everyone.filter((each) => standing.isAccountAdmin || isAdminOf(standing, each)).map(({ id }) => id),
  );
  return {
    within: {
      workspace: [own, ...others.slice(0, MOST_WORKSPACES - 1)],
      account: [account],
      metastore: await metastoresOf(call, own),
      address: [sourceOf(call.remoteAddress)],
      subscription: standing.isAccountAdmin ? await subscriptionsOf(call, tenantId) : [],
    },
    // The names of secret scopes and the usage of other principals are shown only to administrators; each caller sees its own usage.
    shows: (names, scope) =>
      standing.isAccountAdmin ||
      administered.has(scope[0] as string) ||
      names.every((part, index) => index === 0 || isOpen(part) || scope[index] === standing.principal.id),
  };
}

/** The metastore of the workspace, unless the catalog has not been used yet. */
async function metastoresOf({ jar }: PlatformCall, workspace: string): Promise<readonly string[]> {
  const found = (await jar.store.cached(metastoreAssignments, workspace))?.value.metastore;
  return found === undefined || found === null ? [] : [found];
}

/** Parts of a scope that identify neither an object nor a principal. */
const isOpen = (part: string): boolean => part === 'region';

async function subscriptionsOf({ jar }: PlatformCall, tenantId: string): Promise<readonly string[]> {
  const filter = eq('tenantId', tenantId);
  const { items } = await jar.store.query(subscriptions, { filter, limit: MOST_SUBSCRIPTIONS });
  return items.map(({ value }) => value.subscriptionId.toLowerCase());
}

async function view(call: PlatformCall, row: ShownRow, visible: Visible): Promise<object> {
  const { table, name, resource, metric, limit, unit, scope, fixed, region, measure } = row;
  const { limits } = call.jar;
  // A jar without the management service does not have its gateway's limits.
  const declared = limits.table.get(name)?.limit;
  const rule = declared && limits.overrides.of(declared, ownScope(call, declared));
  const use = declared ? await useOf(limits, declared, visible) : [];
  return {
    name,
    table: table.toUpperCase(),
    resource,
    metric,
    ...(limit !== undefined && { limit }),
    unit,
    scope,
    fixed,
    region,
    measure: measure.toUpperCase(),
    status: rule?.mode === 'enforced' ? 'ENFORCED' : 'COUNTED',
    ...(rule && { mode: rule.mode.toUpperCase(), ...(rule.mode !== 'unlimited' && { in_force: rule.maximum }) }),
    use: use.map(({ scope: values, used, remaining, maximum }) => ({
      scope: namedScope(declared?.scope ?? [], values),
      used,
      ...(declared && limits.overrides.of(declared, values).mode !== 'unlimited' && { remaining, limit: maximum }),
    })),
  };
}
