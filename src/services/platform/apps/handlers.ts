import { deleteAll, type Tx } from '../../../kernel/store/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import type { PlatformJar } from '../jar.ts';
import { type App, appDeployments, apps, deploymentKey, deploymentsOf, keyOf } from './collections.ts';
import { removeAppPrincipal } from './principal.ts';
import { revokeAll } from './resources.ts';
import { endDeployment, putApp, recordApp } from './transitions.ts';
import { FINISH_DEPLOYMENT, REMOVE_DEPLOYMENTS, STEP_APP } from './work.ts';

/** Ends the current compute state of an app. */
const stepApp = workHandler(STEP_APP, async (item, jar: PlatformJar) => {
  const { key, id } = item.payload;
  await jar.store.transact(async (tx) => {
    const app = (await tx.get(apps, key))?.value;
    await tx.complete(item);
    if (app?.id === id) await endState(tx, jar, app);
  });
});

async function endState(tx: Tx, jar: PlatformJar, app: App): Promise<void> {
  if (app.compute === 'DELETING') return removeApp(tx, jar, app);
  const ended = endUpdate(app);
  if (app.compute === 'STARTING' || app.compute === 'UPDATING')
    await recordApp(tx, jar, 'run', await putApp(tx, jar, { ...ended, compute: 'ACTIVE' }));
  else if (app.compute === 'STOPPING')
    await recordApp(tx, jar, 'end', await putApp(tx, jar, { ...ended, compute: 'STOPPED' }));
  else if (ended !== app) await recordApp(tx, jar, 'update', await putApp(tx, jar, ended));
}

/** Applies the fields of a finished update. */
function endUpdate(app: App): App {
  const { update, fields } = app;
  if (update?.state !== 'IN_PROGRESS') return app;
  const ended = { ...update, state: 'SUCCEEDED', message: 'The update has succeeded.' } as const;
  return { ...app, fields: { ...fields, ...update.fields }, update: ended };
}

async function removeApp(tx: Tx, jar: PlatformJar, app: App): Promise<void> {
  await removeAppPrincipal(tx, jar, app);
  await revokeAll(tx, app);
  await tx.delete(apps, keyOf(app));
  await tx.schedule(REMOVE_DEPLOYMENTS.at(jar.clock.now(), { prefix: deploymentsOf(app) }));
}

const finishDeployment = workHandler(FINISH_DEPLOYMENT, async (item, jar: PlatformJar) => {
  const { key, deployment: id } = item.payload;
  await jar.store.transact(async (tx) => {
    const app = (await tx.get(apps, key))?.value;
    await tx.complete(item);
    if (app?.pending !== id) return;
    const { pending: _, crash: __, ...rest } = app;
    const deployment = (await tx.get(appDeployments, deploymentKey(app, id)))?.value;
    if (!deployment) return;
    const { problem, fields } = deployment;
    if (problem !== undefined) {
      await endDeployment(tx, jar, app, deployment, 'FAILED', problem);
      // The previous deployment keeps running.
      const isCrashed = app.active === undefined;
      const failed = await putApp(tx, jar, { ...rest, ...(isCrashed && { crash: problem }) });
      await recordApp(tx, jar, 'deploy', failed, 'Failed');
      return;
    }
    await endDeployment(tx, jar, app, deployment, 'SUCCEEDED', 'App started successfully.');
    const source = fields.source_code_path;
    const sourcePath = typeof source === 'string' ? { sourcePath: source } : {};
    await recordApp(tx, jar, 'deploy', await putApp(tx, jar, { ...rest, active: id, ...sourcePath }));
  });
});

const removeDeployments = workHandler(REMOVE_DEPLOYMENTS, async ({ payload }, jar: PlatformJar) => {
  await deleteAll(jar.store, appDeployments, { prefix: payload.prefix });
});

export const APP_HANDLERS = [stepApp, finishDeployment, removeDeployments] as const;
