import { allOf, eq, type Filter, type Order, type Reader, walk } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { assignedByGroups, isAssigned } from '../accounts/assign.ts';
import { type Principal, principalPlace, principals } from '../accounts/collections.ts';
import { countMembers } from '../accounts/members.ts';
import { wholeNumber } from '../engine/paging.ts';
import type { PlatformCall } from '../jar.ts';
import { invalid, shown } from './errors.ts';
import { parseFilter, type ScimFilter } from './filter.ts';
import { matches } from './match.ts';
import { placeIn, type ScimPlace } from './place.ts';
import { projectionOf } from './projection.ts';
import { relatedFilter } from './related.ts';
import { comparing, sortKey } from './sorting.ts';
import { type SplitFilter, splitFilter } from './store-filter.ts';
import { viewsOf } from './view.ts';

const USUAL_COUNT = 100;
export const MOST_COUNT = 10_000;
/** Maximum total number of group members on one page: the page ends early. Clients continue after the groups that they received. */
const MOST_MEMBERS = 20_000;
export const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

export async function listResources(call: PlatformCall, kind: Principal['kind']): Promise<JsonMembers> {
  const { jar, query } = call;
  const place = placeIn(call, kind);
  const projection = projectionOf(call);
  const startIndex = Math.max(1, wholeNumber(query, 'startIndex') ?? 1);
  const count = Math.min(Math.max(0, wholeNumber(query, 'count') ?? USUAL_COUNT), MOST_COUNT);
  const { filter: text } = query;
  const filter =
    typeof text === 'string' && text.trim() !== ''
      ? await relatedFilter(jar.store, place, parseFilter(text))
      : undefined;
  const page = await find(jar.store, place, {
    filter: splitFilter(filter, place),
    ...sortingOf(call, place),
    skip: startIndex - 1,
    count,
  });
  const found = projection.includes('members') ? await withinBounds(jar.store, page.items) : page.items;
  const resources = await viewsOf(jar.store, place, found, projection);
  return {
    schemas: [LIST],
    totalResults: page.total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources.map((each) => projection.of(each)),
  };
}

/** Order of a list: by a column, oldest first by default, so that resources added during pagination come last. */
function sortingOf({ query }: PlatformCall, { kind, workspace }: ScimPlace): Pick<Asked, 'order' | 'sort'> {
  const { sortBy, sortOrder = 'ascending' } = query;
  if (sortOrder !== 'ascending' && sortOrder !== 'descending')
    throw invalid('invalidValue', `sortOrder is 'ascending' or 'descending', not '${shown(sortOrder)}'.`);
  const descending = sortOrder === 'descending';
  const name = sortBy === undefined ? '' : String(sortBy).toLowerCase();
  const field = name === '' ? 'createdAt' : sortFields(kind).get(name);
  if (field !== undefined) return { order: [{ field, ...(descending && { descending }) }] };
  const sort = sortKey(kind, name, workspace?.id);
  if (!sort) throw invalid('invalidPath', `Lists cannot be sorted by '${shown(sortBy)}'.`);
  return { order: [{ field: 'createdAt' }], sort: comparing(sort, descending) };
}

const sortFields = (kind: Principal['kind']): ReadonlyMap<string, string> =>
  new Map([
    ['id', 'id'],
    ['displayname', 'display'],
    ['externalid', 'external'],
    ['meta.created', 'createdAt'],
    ['meta.lastmodified', 'updatedAt'],
    ...(kind === 'user' ? [['username', 'login'] as const] : []),
    ...(kind === 'servicePrincipal' ? [['applicationid', 'login'] as const] : []),
  ]);

interface Asked {
  readonly filter: SplitFilter;
  readonly order: readonly Order[];
  /** For sorting by an attribute without a column, which reads the whole list. */
  readonly sort?: (a: Principal, b: Principal) => number;
  readonly skip: number;
  readonly count: number;
}

interface Found {
  readonly items: readonly Principal[];
  readonly total: number;
}

async function find(reader: Reader, place: ScimPlace, { filter, order, sort, skip, count }: Asked): Promise<Found> {
  const { workspace } = place;
  const byGroups = workspace && (await assignedByGroups(reader, workspace));
  const query = { filter: allOf(listed(place, byGroups !== undefined), filter.stored), order };
  if (sort) {
    const all: Principal[] = [];
    for await (const principal of fulfilling(reader, place, query, filter.rest, byGroups)) all.push(principal);
    return { items: all.sort(sort).slice(skip, skip + count), total: all.length };
  }
  if (!byGroups && !filter.rest) {
    const total = await reader.count(principals, { filter: query.filter });
    if (count === 0 || skip >= total) return { items: [], total };
    const { items } = await reader.query(principals, { ...query, limit: count, skip });
    return { items: items.map(({ value }) => value), total };
  }
  const items: Principal[] = [];
  let total = 0;
  for await (const principal of fulfilling(reader, place, query, filter.rest, byGroups)) {
    if (total >= skip && items.length < count) items.push(principal);
    total += 1;
  }
  return { items, total };
}

/**
 * Filter for the principals that a place lists. With `everybody`, includes account principals that belong to the workspace only through a
 * group.
 */
function listed({ account, workspace, kind }: ScimPlace, everybody: boolean): Filter {
  const ofAccount = eq('place', principalPlace(account.id, kind));
  if (!workspace) return ofAccount;
  const assigned: Filter = everybody
    ? ofAccount
    : { op: 'and', args: [ofAccount, { op: 'has', field: 'workspaces', value: workspace.id }] };
  return kind === 'group'
    ? { op: 'or', args: [eq('place', principalPlace(account.id, kind, workspace.id)), assigned] }
    : assigned;
}

const PAGE = 500;

/** Iterates over the list if the store cannot evaluate the whole filter. */
async function* fulfilling(
  reader: Reader,
  place: ScimPlace,
  query: { readonly filter: Filter; readonly order: readonly Order[] },
  rest: ScimFilter | undefined,
  byGroups: ReadonlySet<string> | undefined,
): AsyncGenerator<Principal> {
  const { workspace } = place;
  const isHere = (principal: Principal): boolean =>
    !workspace ||
    principal.workspaceId === workspace.id ||
    isAssigned(principal, workspace.id) ||
    (byGroups?.has(principal.id) ?? false);
  const needed = rest ? namesIn(rest) : new Set<string>();
  const projection = { includes: (name: string): boolean => needed.has(name.toLowerCase()) };
  let batch: Principal[] = [];
  const chosen = async (): Promise<readonly Principal[]> => {
    if (!rest) return batch;
    const views = await viewsOf(reader, place, batch, projection);
    return batch.filter((_, index) => matches(rest, views[index] as JsonMembers));
  };
  for await (const { value } of walk(reader, principals, query)) {
    if (!isHere(value)) continue;
    batch.push(value);
    if (batch.length < PAGE) continue;
    yield* await chosen();
    batch = [];
  }
  yield* await chosen();
}

/** The attributes that a filter uses. */
function namesIn(filter: ScimFilter): Set<string> {
  switch (filter.op) {
    case 'and':
    case 'or':
      return new Set(filter.args.flatMap((arg) => [...namesIn(arg)]));
    case 'not':
      return namesIn(filter.arg);
    case 'some':
      return new Set([filter.attribute]);
    case 'among':
      return new Set();
    default:
      return new Set([filter.path.attribute]);
  }
}

/** The first group is always included, however many members it has. */
async function withinBounds(reader: Reader, found: readonly Principal[]): Promise<readonly Principal[]> {
  let members = 0;
  for (const [index, { accountId, id, kind }] of found.entries()) {
    if (kind !== 'group') return found;
    members += await countMembers(reader, accountId, id);
    if (members > MOST_MEMBERS && index > 0) return found.slice(0, index);
  }
  return found;
}
