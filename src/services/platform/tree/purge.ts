import { eq, type Tx } from '../../../kernel/store/index.ts';
import { runInSteps, workHandler } from '../../../kernel/work/index.ts';
import type { PlatformJar } from '../jar.ts';
import { removeNotebookExtras } from '../notebooks/extras.ts';
import { nodeKey, type TreeNode, treeNodes } from './collections.ts';
import { removeNode } from './nodes.ts';
import { PURGE_DIRECTORY } from './work.ts';

/** Number of files per transaction: each may have some megabytes that are deleted with it. */
const SLICE = 50;

/** Removes the content of a directory. A separate work item removes the content of each subdirectory. */
export const purgeDirectory = workHandler(PURGE_DIRECTORY, async (item, jar: PlatformJar, halt) => {
  const { tree, inside } = item.payload;
  const step = (): Promise<boolean> =>
    jar.store.transact(async (tx) => {
      const { items } = await tx.query(treeNodes, { prefix: nodeKey(tree, inside, ''), limit: SLICE });
      for (const { value } of items) await removeNodeWithContent(tx, jar, value);
      return items.length === SLICE;
    });
  await runInSteps(item, jar, halt, [step]);
});

/** Removes a node with all documents that belong to it. */
export async function removeNodeWithContent(tx: Tx, jar: PlatformJar, node: TreeNode): Promise<void> {
  await removeNode(tx, jar, node);
  if (node.type !== 'NOTEBOOK') return;
  // A checkout that replaces another keeps the ids of notebooks: documents of a notebook stay as long as any node has its id.
  const others = await tx.count(treeNodes, { filter: eq('id', `${node.tree}/${node.id}`) });
  if (others === 0) await removeNotebookExtras(tx, jar, node);
}
