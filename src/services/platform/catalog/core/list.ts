import { allOf, eq, type Filter } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { namesOf } from '../../engine/names.ts';
import { type ListPage, readPage, wholeNumber } from '../../engine/paging.ts';
import { errors } from '../../errors.ts';
import { accountIn, callerIdentity, type PlatformCall } from '../../jar.ts';
import { refreshMirrors } from '../sharing/mirrors/refresh.ts';
import { reachableFilter, visibilityFilter, visibilityOf } from './access.ts';
import { below, type Chain, fullNameOf } from './chain.ts';
import type { SecurableKind } from './kind.ts';
import { wireType } from './privileges.ts';
import { listOf, type Securable, securables } from './securables.ts';

/** Page sizes: `most` is the maximum, also used for 0. Without a size, a page has `usual` entries, or everything if `usual` is absent. */
export interface CatalogSizes {
  readonly most: number;
  readonly usual?: number;
}

const USUAL: CatalogSizes = { most: 1000 };

/** More than the length of any list in the catalog. */
const EVERYTHING = 1_000_000;

export function maxResults(
  call: Pick<PlatformCall, 'query'>,
  { most, usual = EVERYTHING }: CatalogSizes = USUAL,
): number {
  const asked = wholeNumber(call.query, 'max_results');
  if (asked === undefined) return usual;
  if (asked < 0) throw errors.INVALID_PARAMETER_VALUE({ reason: 'The value of max_results must not be negative.' });
  return asked === 0 ? most : Math.min(asked, most);
}

export interface CatalogList {
  readonly sizes?: CatalogSizes;
  /** The page size, if the call has it in a parameter of its own. */
  readonly size?: number;
  readonly filter?: Filter;
  /** Include securables that are bound to other workspaces only. */
  readonly unbound?: boolean;
  /** Number of a page's securables that fit in the answer, if each carries much data stored elsewhere; the page ends there. */
  fits?(found: readonly Securable[]): number;
}

const NOTHING: ListPage<Securable> = { items: [], next: undefined };

/** The children of `above` that the caller may see, by name. */
export async function listBelow(
  call: PlatformCall,
  { type }: Pick<SecurableKind, 'type'>,
  above: Chain,
  { sizes, filter, unbound = false, fits, size = maxResults(call, sizes) }: CatalogList = {},
): Promise<ListPage<Securable>> {
  const visible = visibilityFilter(call, above, type, { browse: call.query.include_browse === 'true' });
  if (visible === 'nothing') return NOTHING;
  await refreshMirrors(call.jar.store, [above.target, ...above.above], type);
  const reachable = unbound ? undefined : reachableFilter(call);
  const request = {
    collection: securables,
    query: {
      filter: allOf(eq('list', listOf(above.target.id, type)), visible, reachable, filter),
      order: [{ field: 'name' }],
    },
  };
  const page = await readPage(call, { ...request, size });
  const room = fits?.(page.items.map(({ value }) => value)) ?? page.items.length;
  return room < page.items.length ? readPage(call, { ...request, size: Math.max(1, room) }) : page;
}

export async function viewChains(
  call: PlatformCall,
  kind: SecurableKind,
  chains: readonly Chain[],
): Promise<readonly JsonMembers[]> {
  const people = chains.flatMap(({ target: { owner, createdBy, updatedBy } }) => [owner, createdBy, updatedBy]);
  const { nameOf } = await namesOf(call.jar.store, accountIn(call).id, people);
  const used = await usedBy(call, chains);
  const standing = callerIdentity(call);
  return chains.map((chain) => {
    const { target } = chain;
    const fullName = fullNameOf(chain);
    return {
      name: target.name,
      ...namesAbove(chain),
      ...target.fields,
      owner: nameOf(target.owner),
      metastore_id: target.metastore,
      full_name: fullName,
      [kind.idField]: target.id,
      securable_type: wireType(target.kind),
      created_at: target.createdAt,
      created_by: nameOf(target.createdBy),
      updated_at: target.updatedAt,
      updated_by: nameOf(target.updatedBy),
      browse_only: visibilityOf(standing, chain) === 'browse',
      ...kind.view?.(target, { chain, fullName, call, nameOf, used: used(target.uses) }),
    };
  });
}

/** The securables that these securables use, by id. */
async function usedBy(
  { jar }: PlatformCall,
  chains: readonly Chain[],
): Promise<(id: string | undefined) => Securable | undefined> {
  const ids = [...new Set(chains.flatMap(({ target }) => target.uses ?? []))];
  const found = new Map<string, Securable>();
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const values = ids.slice(from, from + IDS_AT_ONCE);
    const { items } = await jar.store.query(securables, {
      filter: { op: 'in', field: 'id', values },
      limit: values.length,
    });
    for (const { value } of items) found.set(value.id, value);
  }
  return (id) => (id === undefined ? undefined : found.get(id));
}

const IDS_AT_ONCE = 200;

export const viewChain = async (call: PlatformCall, kind: SecurableKind, chain: Chain): Promise<JsonMembers> =>
  (await viewChains(call, kind, [chain]))[0] as JsonMembers;

export const chainsBelow = (above: Chain, items: readonly { readonly value: Securable }[]): readonly Chain[] =>
  items.map(({ value }) => below(above, value));

function namesAbove({ above }: Chain): JsonMembers {
  const named = Object.fromEntries(above.map(({ kind, name }) => [kind, name]));
  return {
    ...(named.catalog !== undefined && { catalog_name: named.catalog }),
    ...(named.schema !== undefined && { schema_name: named.schema }),
  };
}
