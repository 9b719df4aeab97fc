import type { Jar } from '../../../kernel/jar-context.ts';
import { eq } from '../../../kernel/store/filters.ts';
import type { Tx } from '../../../kernel/store/types.ts';
import { readAll } from '../../../kernel/store/walk.ts';
import { noteChange } from '../accounts/changes.ts';
import { type App, appMembers, appNames, apps, nameKey } from '../collections.ts';
import { APP_TEAMS, APPS } from '../limits.ts';
import { dropTokensOfApp } from '../tokens/manage.ts';
import { ON_DELETE, type OnDelete } from './on-delete.ts';
import { PURGE_APP } from './work.ts';

/** Deletes an app within a transaction. False where there was none any more. */
export type RemoveApp = (tx: Tx, jar: Jar, appId: string) => Promise<boolean>;

/** To be called before the transaction, which cannot wait for modules. */
export async function loadRemoveApp(): Promise<RemoveApp> {
  const steps = await Promise.all(ON_DELETE.map((load) => load()));
  return (tx, jar, appId) => removeApp(tx, jar, appId, steps);
}

async function removeApp(tx: Tx, jar: Jar, appId: string, steps: readonly OnDelete[]): Promise<boolean> {
  const app = (await tx.get(apps, appId))?.value;
  if (!app) return false;
  const { owner, name, teams } = app;
  for (const step of steps) await step(tx, jar, app);
  await tx.delete(appNames, nameKey(owner.id, name));
  await tx.delete(apps, appId);
  await jar.limits.freeQuota(tx, { limit: APPS, scope: [owner.id] });
  await jar.limits.freeQuota(tx, { limit: APP_TEAMS, scope: [appId], count: teams.length });
  await tx.schedule({
    kind: PURGE_APP,
    id: `${PURGE_APP}:${appId}`,
    dueAt: jar.clock.now(),
    payload: { appId },
  });
  await noteChange(tx, jar, 'delete', `lifecycle/apps/${appId}`, { name });
  return true;
}

export const dropMembers: OnDelete = async (tx, _jar, { id }: App) => {
  for (const { key } of await readAll(tx, appMembers, { filter: eq('appId', id) })) await tx.delete(appMembers, key);
};

export const dropTokens: OnDelete = (tx, jar, { id }: App) => dropTokensOfApp(tx, jar, id);
