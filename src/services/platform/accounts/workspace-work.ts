import { runInSteps, workHandler } from '../../../kernel/work/index.ts';
import type { PlatformJar } from '../jar.ts';
import { workspaces } from './collections.ts';
import { purgeUser } from './purge-user.ts';
import { PROVISION_WORKSPACE, PURGE_WORKSPACE } from './work.ts';
import { WORKSPACE_PURGES } from './workspace-purges.ts';

export const provisionWorkspace = workHandler(PROVISION_WORKSPACE, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    const found = (await tx.get(workspaces, item.payload.workspace))?.value;
    if (found?.status === 'PROVISIONING') {
      await tx.put(workspaces, found.id, { ...found, status: 'RUNNING' });
      await tx.change({
        source: 'platform',
        kind: 'provision',
        subject: `/${found.accountId}/workspaces/${found.id}`,
        outcome: 'Succeeded',
        at: jar.clock.now(),
        data: { kind: 'workspace', id: found.id },
      });
    }
    await tx.complete(item);
  });
});

export const purgeWorkspace = workHandler(PURGE_WORKSPACE, async (item, jar: PlatformJar, halt) => {
  const finish = () =>
    jar.store.transact(async (tx) => {
      await tx.complete(item);
      return false;
    });
  await runInSteps(item, jar, halt, [...WORKSPACE_PURGES.map((purge) => purge(jar, item.payload)), finish]);
});

export const accountWork = [provisionWorkspace, purgeUser, purgeWorkspace];
