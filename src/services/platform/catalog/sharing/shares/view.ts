import { eq, type Reader, readAll } from '../../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../../kernel/values/index.ts';
import { batchesOf } from '../../../accounts/principals.ts';
import { namesOf } from '../../../engine/names.ts';
import { accountIn, type PlatformCall } from '../../../jar.ts';
import { securables } from '../../core/securables.ts';
import { type SharedObject, sharedObjects } from '../collections.ts';
import { aliasField } from './data-object.ts';

/** All objects of a share, by type and name. */
export async function objectsOf(reader: Reader, share: string): Promise<readonly SharedObject[]> {
  const order = [{ field: 'type' }, { field: 'name' }];
  return (await readAll(reader, sharedObjects, { filter: eq('share', share), order })).map(({ value }) => value);
}

/** The ids of these securables that still exist. */
export async function existing(reader: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const values of batchesOf(ids)) {
    const { items } = await reader.query(securables, {
      filter: { op: 'in', field: 'id', values },
      limit: values.length + 1,
    });
    for (const { value } of items) found.add(value.id);
  }
  return found;
}

export async function objectViews(call: PlatformCall, found: readonly SharedObject[]): Promise<readonly JsonMembers[]> {
  const people = found.map(({ addedBy }) => addedBy);
  const { nameOf } = await namesOf(call.jar.store, accountIn(call).id, people);
  const there = await existing(
    call.jar.store,
    found.flatMap(({ securable }) => (securable === undefined ? [] : [securable])),
  );
  return found.map(({ type, name, sharedAs, securable, addedAt, addedBy, fields }) => ({
    name,
    data_object_type: type,
    [aliasField(type)]: sharedAs,
    ...fields,
    added_at: addedAt,
    added_by: nameOf(addedBy),
    status: securable === undefined || there.has(securable) ? 'ACTIVE' : 'PERMISSION_DENIED',
  }));
}
