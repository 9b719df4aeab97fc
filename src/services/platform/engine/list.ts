import type { Filter } from '../../../kernel/store/index.ts';
import { allOf, eq } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { accountIn, type PlatformCall } from '../jar.ts';
import { readersFilter } from '../permissions/guard.ts';
import { isBelow, requireAbove, scopeOf } from './find.ts';
import type { ObjectKind } from './kind.ts';
import { namesOf } from './names.ts';
import { objects, type PlatformObject, placeOf } from './objects.ts';
import { type ListPage, type PageSizes, pageSize, readPage } from './paging.ts';

export interface ListOptions {
  readonly sizes?: PageSizes;
  readonly sizeParameter?: string;
  readonly tokenParameter?: string;
  readonly parent?: string;
  /** True: only objects in the trash; `with`: those and all others. */
  readonly trashed?: boolean | 'with';
  readonly filter?: Filter;
  readonly order?: { readonly field: 'createdAt' | 'name'; readonly descending?: boolean };
}

export async function listObjects(
  call: PlatformCall,
  kind: ObjectKind,
  options: ListOptions = {},
): Promise<ListPage<PlatformObject>> {
  const { parent, trashed = false, order = { field: 'createdAt' }, sizes, sizeParameter, tokenParameter } = options;
  if (isBelow(kind) && parent !== undefined) await requireAbove(call.jar.store, call, kind, parent, 'read');
  const place = placeOf(scopeOf(call, kind), kind.name);
  const within = parent === undefined ? eq('place', place) : eq('under', `${place}/${parent}`);
  const state: Filter | undefined =
    trashed === 'with' ? undefined : trashed ? { op: 'ne', field: 'trashedAt', value: null } : eq('trashedAt', null);
  const visible = kind.permissions && readersFilter(call);
  return readPage(call, {
    collection: objects,
    query: { filter: allOf(within, state, visible, options.filter), order: [order] },
    size: pageSize(call.query, sizes, sizeParameter),
    ...(tokenParameter !== undefined && { parameter: tokenParameter }),
  });
}

export async function viewsOf(
  call: PlatformCall,
  kind: ObjectKind,
  found: readonly PlatformObject[],
  { inList = false }: { readonly inList?: boolean } = {},
): Promise<readonly JsonMembers[]> {
  const view = (inList ? kind.listed : undefined) ?? kind.view;
  if (!view) return found.map(({ id, fields }) => ({ [kind.idField]: id, ...fields }));
  const people = found.flatMap(({ createdBy, updatedBy, owner = createdBy }) => [createdBy, updatedBy, owner]);
  const context = await namesOf(call.jar.store, accountIn(call).id, people);
  return found.map((object) => view(object, context));
}

export const viewOf = async (call: PlatformCall, kind: ObjectKind, object: PlatformObject): Promise<JsonMembers> =>
  (await viewsOf(call, kind, [object]))[0] as JsonMembers;
