import { workHandler } from '../../../kernel/work/index.ts';
import type { PlatformJar } from '../jar.ts';
import { OBJECT_KINDS } from '../object-kinds.ts';
import { PURGE_OBJECT } from '../work.ts';
import { objects } from './objects.ts';
import { removalOf, removeObject } from './removal.ts';

/** Removes an object at the end of its time in the trash. */
export const purgeObject = workHandler(PURGE_OBJECT, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    const object = (await tx.get(objects, item.payload.key))?.value;
    const kind = object && OBJECT_KINDS.find(({ name }) => name === object.kind);
    await tx.complete(item);
    if (object?.trashedAt === undefined || !kind) return;
    // This item is already complete, so `removeObject` must not cancel it along with the object.
    const { trashedAt: _trashedAt, ...removed } = object;
    await removeObject(tx, jar, kind, removed);
  });
});

/** Removes the children of a removed object that did not fit into its transaction. */
export const removeChildren = removalOf(() => OBJECT_KINDS);
