import { eq, type Tx } from '../../../kernel/store/index.ts';
import { handleWork, runInSteps } from '../../../kernel/work/index.ts';
import type { PlatformJar } from '../jar.ts';
import { notebookGone } from '../notebooks/extras.ts';
import { nodeKey, type TreeNode, treeNodes } from './collections.ts';
import { removeNode } from './nodes.ts';
import { PURGE_DIRECTORY } from './work.ts';

/** Files in one transaction: each may have some megabytes that go with it. */
const SLICE = 50;

/** Removes what was in a directory. What was in the directories within it is an item of work of its own. */
export const purgeDirectory = handleWork(PURGE_DIRECTORY, async (item, jar: PlatformJar, halt) => {
  const { tree, inside } = item.payload;
  const step = (): Promise<boolean> =>
    jar.store.transact(async (tx) => {
      const { items } = await tx.query(treeNodes, { prefix: nodeKey(tree, inside, ''), limit: SLICE });
      for (const { value } of items) await removeWhole(tx, jar, value);
      return items.length === SLICE;
    });
  await runInSteps(item, jar, halt, [step]);
});

/** A node with everything that is kept for it elsewhere. */
export async function removeWhole(tx: Tx, jar: PlatformJar, node: TreeNode): Promise<void> {
  await removeNode(tx, jar, node);
  if (node.type !== 'NOTEBOOK') return;
  // A checkout that replaces another keeps the ids of notebooks: what belongs to one stays as long as any node has its id.
  const others = await tx.count(treeNodes, { filter: eq('id', `${node.tree}/${node.id}`) });
  if (others === 0) await notebookGone(tx, jar, node);
}
