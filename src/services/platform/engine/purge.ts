import { handleWork } from '../../../kernel/work/index.ts';
import type { PlatformJar } from '../jar.ts';
import { OBJECT_KINDS } from '../object-kinds.ts';
import { PURGE_OBJECT } from '../work.ts';
import { objects } from './objects.ts';
import { removalOf, removeObject } from './removal.ts';

/** Removes what has been in the trash for long enough. */
export const purgeObject = handleWork(PURGE_OBJECT, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    const object = (await tx.get(objects, item.payload.key))?.value;
    const kind = object && OBJECT_KINDS.find(({ name }) => name === object.kind);
    await tx.complete(item);
    if (object?.trashedAt === undefined || !kind) return;
    // The item is complete: it is not there to be cancelled along with the object.
    const { trashedAt: _trashedAt, ...removed } = object;
    await removeObject(tx, jar, kind, removed);
  });
});

/** Removes what belonged to a removed object and did not fit into its transaction. */
export const removeChildren = removalOf(() => OBJECT_KINDS);
