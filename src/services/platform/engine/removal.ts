import { eq, type Tx } from '../../../kernel/store/index.ts';
import { runInSteps, workHandler } from '../../../kernel/work/index.ts';
import type { PlatformJar } from '../jar.ts';
import { rowOf } from '../limits/declared.ts';
import { freeCount } from '../limits/take.ts';
import { purgeId, REMOVE_CHILDREN, removalId } from '../work.ts';
import type { ObjectKind } from './kind.ts';
import { objectKey, objects, type PlatformObject, placeOf } from './objects.ts';

export const keyOf = ({ scope, kind, id }: Pick<PlatformObject, 'scope' | 'kind' | 'id'>): string =>
  objectKey(scope, kind, id);

/** If the row counts by more than the scope, it counts by the parent. */
export function countOf(kind: ObjectKind, { scope, parent }: PlatformObject) {
  const row = kind.limit as NonNullable<ObjectKind['limit']>;
  const parts = rowOf(row).parts.length;
  return { row, scope: parts > 1 ? [scope, parent ?? ''] : [scope] };
}

/** Number of children that one transaction removes along with their ancestor. */
const SLICE = 100;

/**
 * In a transaction: removes an object with its children and their counts. If there are many, due work removes the rest, which can no longer
 * be found.
 */
export async function removeObject(tx: Tx, jar: PlatformJar, kind: ObjectKind, object: PlatformObject): Promise<void> {
  await removeOne(tx, jar, kind, object);
  if (await removeBelow(tx, jar, kind, object, { left: SLICE })) return;
  const { scope, id } = object;
  const payload = { scope, kind: kind.name, id };
  await tx.schedule(REMOVE_CHILDREN.at(jar.clock.now(), payload, removalId(keyOf(object))));
}

async function removeOne(tx: Tx, jar: PlatformJar, kind: ObjectKind, object: PlatformObject): Promise<void> {
  await tx.delete(objects, keyOf(object));
  if (object.trashedAt !== undefined) await tx.cancel(purgeId(keyOf(object)));
  if (kind.limit) await freeCount(tx, jar, countOf(kind, object));
  await kind.hooks?.deleted?.(tx, jar, object);
}

/** Removes descendants within the budget, from the bottom up so that all of them stay reachable. Returns false while some may remain. */
async function removeBelow(
  tx: Tx,
  jar: PlatformJar,
  { children = [] }: ObjectKind,
  { scope, id }: Pick<PlatformObject, 'scope' | 'id'>,
  budget: { left: number },
): Promise<boolean> {
  for (const child of children) {
    const filter = eq('under', `${placeOf(scope, child.name)}/${id}`);
    const { items, next } = await tx.query(objects, { filter, limit: Math.max(1, budget.left) });
    for (const { value } of items) {
      if (!(await removeBelow(tx, jar, child, value, budget)) || budget.left === 0) return false;
      await removeOne(tx, jar, child, value);
      budget.left--;
    }
    if (next) return false;
  }
  return true;
}

/** Due work of `REMOVE_CHILDREN`, for the given kinds. */
export const removalOf = (kinds: () => readonly ObjectKind[]) =>
  workHandler(REMOVE_CHILDREN, async (item, jar: PlatformJar, halt) => {
    const kind = kinds().find(({ name }) => name === item.payload.kind);
    const remove = async (): Promise<boolean> =>
      kind !== undefined &&
      !(await jar.store.transact((tx) => removeBelow(tx, jar, kind, item.payload, { left: SLICE })));
    const finish = async (): Promise<boolean> => {
      await jar.store.transact((tx) => tx.complete(item));
      return false;
    };
    await runInSteps(item, jar, halt, [remove, finish]);
  });
