import { SLICE, type Tx } from '../../../../kernel/store/index.ts';
import { runInSteps, workHandler } from '../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { type LineageObject, lineageRelations, objectKey } from '../lineage/collections.ts';
import { entityTags } from '../tags/collections.ts';
import type { SecurableType } from './privileges.ts';
import type { Securable } from './securables.ts';
import { attachedId, REMOVE_ATTACHED } from './work.ts';

/** Data stored outside of a securable's document and removed with it: tags and lineage. */

const IN_LINEAGE: Readonly<Partial<Record<SecurableType, LineageObject['type']>>> = {
  table: 'table',
  volume: 'volume',
  registered_model: 'model_version',
  external_metadata: 'external_metadata',
};

type Gone = Pick<Securable, 'id' | 'metastore' | 'kind'>;

/** In a transaction: removes a slice. Returns true while there may be more. */
async function removeSlice(tx: Tx, { id, metastore, kind }: Gone): Promise<boolean> {
  const tags = await tx.query(entityTags, { prefix: `${id}/`, limit: SLICE });
  for (const { key } of tags.items) await tx.delete(entityTags, key);
  let more = tags.next !== undefined;
  if (kind === 'metastore') {
    const left = await tx.query(lineageRelations, { prefix: `${id}/`, limit: SLICE });
    for (const { key } of left.items) await tx.delete(lineageRelations, key);
    return more || left.next !== undefined;
  }
  const type = IN_LINEAGE[kind];
  if (type === undefined) return more;
  // Without the trailing slash, so that the versions of a model match too.
  const value = objectKey(metastore, { type, ref: id }).slice(0, -1);
  for (const field of ['source', 'target']) {
    const filter = { op: 'startsWith', field, value } as const;
    const relations = await tx.query(lineageRelations, { filter, limit: SLICE });
    for (const { key } of relations.items) await tx.delete(lineageRelations, key);
    more ||= relations.next !== undefined;
  }
  return more;
}

/** Called in the transaction that removes the securable. If there is much to remove, due work removes the rest. */
export async function removeAttached(tx: Tx, jar: PlatformJar, securable: Gone): Promise<void> {
  const { id, metastore, kind } = securable;
  if (await removeSlice(tx, securable))
    await tx.schedule(REMOVE_ATTACHED.at(jar.clock.now(), { id, metastore, kind }, attachedId(id)));
}

export const removeAttachedWork = workHandler(REMOVE_ATTACHED, async (item, jar: PlatformJar, halt) => {
  const remove = (): Promise<boolean> => jar.store.transact((tx) => removeSlice(tx, item.payload));
  const finish = async (): Promise<boolean> => {
    await jar.store.transact((tx) => tx.complete(item));
    return false;
  };
  await runInSteps(item, jar, halt, [remove, finish]);
});
