import { handleWork } from '../../../kernel/work/index.ts';
import type { PlatformJar } from '../jar.ts';
import { rowOf } from '../limits/declared.ts';
import { freeCount } from '../limits/take.ts';
import { OBJECT_KINDS } from '../object-kinds.ts';
import { PURGE_OBJECT } from '../work.ts';
import { objects } from './objects.ts';

/** Removes what has been in the trash for long enough. */
export const purgeObject = handleWork(PURGE_OBJECT, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    const object = (await tx.get(objects, item.payload.key))?.value;
    if (object?.trashedAt !== undefined) {
      await tx.delete(objects, item.payload.key);
      const limit = OBJECT_KINDS.find(({ name }) => name === object.kind)?.limit;
      const scope = limit && rowOf(limit).parts.length > 1 ? [object.scope, object.parent ?? ''] : [object.scope];
      if (limit) await freeCount(tx, jar, { row: limit, scope });
    }
    await tx.complete(item);
  });
});
