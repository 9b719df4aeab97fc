import { ok } from '../../../kernel/http/index.ts';
import { eq } from '../../../kernel/store/index.ts';
import { runInSteps, workHandler } from '../../../kernel/work/index.ts';
import { placeIn } from '../access/place.ts';
import { recordChange, workspaceSubject } from '../changes.ts';
import { datasets, workspaces } from '../collections.ts';
import { removeDataset } from '../datasets/remove.ts';
import { type DatasetsJar, routeCode } from '../jar.ts';
import { PURGE_WORKSPACE } from '../work.ts';

/** Once the workspace is deleted, its contents can no longer be found; due work removes them, one dataset at a time. */
export const deleteWorkspace = routeCode(['group'], {
  async handle(call) {
    const { jar } = call;
    const { key, workspace } = placeIn(call);
    await jar.store.transact(async (tx) => {
      if (!(await tx.delete(workspaces, key))) return;
      await tx.schedule(PURGE_WORKSPACE.at(jar.clock.now(), { workspace: key }));
      const data = { tenantId: workspace?.tenantId ?? '', workspace: key, name: workspace?.name ?? '' };
      await recordChange(tx, jar, { kind: 'delete', subject: workspaceSubject(key), data });
    });
    return ok(undefined);
  },
});

export const purgeWorkspace = workHandler(PURGE_WORKSPACE, (item, jar: DatasetsJar, halt) => {
  const { workspace } = item.payload;
  const removeOne = (): Promise<boolean> =>
    jar.store.transact(async (tx) => {
      const { items } = await tx.query(datasets, { filter: eq('workspace', workspace), limit: 1 });
      const [found] = items;
      if (found) await removeDataset(tx, jar, found.value);
      return found !== undefined;
    });
  return runInSteps(item, jar, halt, [removeOne]);
});
