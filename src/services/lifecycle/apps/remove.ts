import type { Tx } from '../../../kernel/store/index.ts';
import { recordChange } from '../accounts/changes.ts';
import { appNames, apps, nameKey } from '../collections.ts';
import type { LifecycleJar } from '../jar.ts';
import { APP_TEAMS, APPS } from '../limits.ts';
import { ON_DELETE } from './on-delete.ts';
import { PURGE_APP } from './work.ts';

/** Deletes an app within a transaction. Returns false if it no longer exists. */
export async function removeApp(tx: Tx, jar: LifecycleJar, appId: string): Promise<boolean> {
  const app = (await tx.get(apps, appId))?.value;
  if (!app) return false;
  const { owner, name, teams } = app;
  for (const drop of ON_DELETE) await drop(tx, jar, app);
  await tx.delete(appNames, nameKey(owner.id, name));
  await tx.delete(apps, appId);
  await jar.limits.freeQuota(tx, { limit: APPS, scope: [owner.id] });
  await jar.limits.freeQuota(tx, { limit: APP_TEAMS, scope: [appId], count: teams.length });
  await tx.schedule(PURGE_APP.at(jar.clock.now(), { appId }, `${PURGE_APP.kind}:${appId}`));
  await recordChange(tx, jar, 'delete', `lifecycle/apps/${appId}`, { name });
  return true;
}
