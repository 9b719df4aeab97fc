import { eq, type Tx } from '../../../kernel/store/index.ts';
import { runInSteps, workHandler } from '../../../kernel/work/index.ts';
import { objects, placeOf } from '../engine/objects.ts';
import type { PlatformJar } from '../jar.ts';
import { freeCount } from '../limits/take.ts';
import type { TreeNode } from '../tree/collections.ts';
import { PURGE_NOTEBOOK } from './work.ts';

/** Objects that belong to a notebook and are stored separately; each is counted by the limit of the same name. */
export const NOTEBOOK_EXTRAS = ['notebook-dashboards', 'notebook-comments'] as const;
export type NotebookExtra = (typeof NOTEBOOK_EXTRAS)[number];

const SLICE = 200;

/** In the transaction that removes a notebook: removes its dashboards and comments immediately if there are few, otherwise by due work. */
export async function removeNotebookExtras(tx: Tx, jar: PlatformJar, { tree, id }: TreeNode): Promise<void> {
  const workspaceId = tree.split('/', 1)[0] as string;
  for (const extra of NOTEBOOK_EXTRAS) {
    if (!(await removeSome(tx, jar, extra, workspaceId, id))) continue;
    await tx.schedule(PURGE_NOTEBOOK.at(jar.clock.now(), { workspaceId, notebookId: id }));
    return;
  }
}

/** Returns true if there may be more. */
async function removeSome(
  tx: Tx,
  jar: PlatformJar,
  row: NotebookExtra,
  workspaceId: string,
  notebookId: string,
): Promise<boolean> {
  const filter = eq('under', `${placeOf(workspaceId, row)}/${notebookId}`);
  const { items } = await tx.query(objects, { filter, limit: SLICE });
  for (const { key } of items) await tx.delete(objects, key);
  if (items.length > 0) await freeCount(tx, jar, { row, scope: [workspaceId, notebookId], count: items.length });
  return items.length === SLICE;
}

export const purgeNotebook = workHandler(PURGE_NOTEBOOK, async (item, jar: PlatformJar, halt) => {
  const { workspaceId, notebookId } = item.payload;
  const steps = NOTEBOOK_EXTRAS.map(
    (extra) => () => jar.store.transact((tx) => removeSome(tx, jar, extra, workspaceId, notebookId)),
  );
  await runInSteps(item, jar, halt, steps);
});
