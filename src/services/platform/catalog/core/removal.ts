import { eq, type Tx } from '../../../../kernel/store/index.ts';
import { runInSteps, workHandler } from '../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { freeCount } from '../../limits/take.ts';
import { removeAttached } from './attached.ts';
import { countsOf } from './counts.ts';
import type { SecurableKind } from './kind.ts';
import { isSystems, keyOf, listOf, type Securable, securables } from './securables.ts';
import { REMOVE_SECURABLES, removalId } from './work.ts';

/** Number of children that one transaction removes along with their ancestor. */
const SLICE = 100;

/**
 * In a transaction: removes a securable with its children and their counts. If there are many, due work removes the rest, which can no
 * longer be found by name.
 */
export async function removeSecurable(
  tx: Tx,
  jar: PlatformJar,
  kind: SecurableKind,
  securable: Securable,
): Promise<void> {
  await removeOne(tx, jar, kind, securable);
  if (await removeBelow(tx, jar, kind, securable.id, { left: SLICE })) return;
  const payload = { kind: kind.type, id: securable.id };
  await tx.schedule(REMOVE_SECURABLES.at(jar.clock.now(), payload, removalId(securable.id)));
}

async function removeOne(tx: Tx, jar: PlatformJar, kind: SecurableKind, securable: Securable): Promise<void> {
  await tx.delete(securables, keyOf(securable));
  // System securables were not counted.
  if (!isSystems(securable)) for (const count of countsOf(kind, securable)) await freeCount(tx, jar, count);
  await removeAttached(tx, jar, securable);
  await kind.hooks?.removed?.(tx, jar, securable);
}

/** Removes descendants within the budget, from the bottom up so that all of them stay reachable. Returns false while some may remain. */
async function removeBelow(
  tx: Tx,
  jar: PlatformJar,
  { children = [] }: SecurableKind,
  parent: string,
  budget: { left: number },
): Promise<boolean> {
  for (const child of children) {
    const filter = eq('list', listOf(parent, child.type));
    const { items, next } = await tx.query(securables, { filter, limit: Math.max(1, budget.left) });
    for (const { value } of items) {
      if (!(await removeBelow(tx, jar, child, value.id, budget)) || budget.left <= 0) return false;
      await removeOne(tx, jar, child, value);
      budget.left--;
    }
    if (next) return false;
  }
  return true;
}

/** Due work: removes the descendants that did not fit into the transaction of their ancestor's removal. */
export const removalOf = (kinds: () => readonly SecurableKind[]) =>
  workHandler(REMOVE_SECURABLES, async (item, jar: PlatformJar, halt) => {
    const kind = kinds().find(({ type }) => type === item.payload.kind);
    const remove = async (): Promise<boolean> =>
      kind !== undefined &&
      !(await jar.store.transact((tx) => removeBelow(tx, jar, kind, item.payload.id, { left: SLICE })));
    const finish = async (): Promise<boolean> => {
      await jar.store.transact((tx) => tx.complete(item));
      return false;
    };
    await runInSteps(item, jar, halt, [remove, finish]);
  });
