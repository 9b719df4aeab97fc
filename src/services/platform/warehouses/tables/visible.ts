import { allOf, eq, pagesOf } from '../../../../kernel/store/index.ts';
import { reachableFilter, requireReachable, requireVisible, visibilityFilter } from '../../catalog/core/access.ts';
import { below, type Chain, findChain } from '../../catalog/core/chain.ts';
import { metastoreIn } from '../../catalog/core/metastore.ts';
import type { SecurableType } from '../../catalog/core/privileges.ts';
import { listOf, securables } from '../../catalog/core/securables.ts';
import type { Actor } from '../../jar.ts';
import type { ObjectName } from '../sql/statement-syntax.ts';
import { type Acting, fullParts } from './find.ts';

/** The objects in a container that a user may see, ordered by name, in pages. */
export async function* visibleBelow(
  acting: Actor,
  above: Chain,
  type: SecurableType,
): AsyncGenerator<readonly Chain[]> {
  const visible = visibilityFilter(acting, above, type);
  if (visible === 'nothing') return;
  const filter = allOf(eq('list', listOf(above.target.id, type)), visible, reachableFilter(acting));
  for await (const page of pagesOf(acting.jar.store, securables, { filter, order: [{ field: 'name' }] }))
    yield page.map(({ value }) => below(above, value));
}

const COUNTS = { catalog: 1, schema: 2, table: 3, volume: 3 } as const;

/** An object of the catalog that the user may see. */
export async function findShown(acting: Acting, kind: keyof typeof COUNTS, name: ObjectName): Promise<Chain> {
  const parts = fullParts(name, acting.session, COUNTS[kind]);
  const chain = await findChain(acting.jar.store, await metastoreIn(acting), kind, parts.join('.'));
  requireVisible(acting, chain);
  requireReachable(acting, chain);
  return chain;
}

export const topOf = async (acting: Actor): Promise<Chain> => ({ target: await metastoreIn(acting), above: [] });
