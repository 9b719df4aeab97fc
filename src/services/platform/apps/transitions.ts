import type { Tx } from '../../../kernel/store/index.ts';
import { type MachineStep, machineMs } from '../compute/timing.ts';
import { errors } from '../errors.ts';
import type { PlatformJar } from '../jar.ts';
import {
  type App,
  type AppDeployment,
  appDeployments,
  apps,
  type ComputeState,
  deploymentKey,
  keyOf,
} from './collections.ts';
import { finishDeploymentId, STEP_APP, stepAppId } from './work.ts';

/** State changes of an app, within the caller's transaction. A state that takes time schedules its own end. */

export type AppJar = Pick<PlatformJar, 'clock' | 'config' | 'limits'>;

/** For the audit trail and the change feed. */
export const recordApp = (
  tx: Tx,
  { clock }: Pick<PlatformJar, 'clock'>,
  kind: string,
  { workspaceId, id, name, compute }: App,
  outcome: 'Succeeded' | 'Failed' | 'Canceled' = 'Succeeded',
): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${workspaceId}/apps/${name}`,
    outcome,
    at: clock.now(),
    data: { kind: 'apps', id, name, state: compute },
  });

export async function putApp(tx: Tx, { clock }: Pick<PlatformJar, 'clock'>, app: App): Promise<App> {
  const changed = { ...app, updatedAt: clock.now() };
  await tx.put(apps, keyOf(app), changed);
  return changed;
}

const STEPS: Readonly<Partial<Record<ComputeState, MachineStep>>> = {
  STARTING: 'appStart',
  STOPPING: 'appStop',
  UPDATING: 'appUpdate',
  DELETING: 'appDelete',
};

/** Sets a compute state that ends by due work. */
export async function beginState(tx: Tx, jar: AppJar, app: App, compute: ComputeState): Promise<App> {
  const changed = await putApp(tx, jar, { ...app, compute });
  await scheduleStep(tx, jar, app, STEPS[compute] as MachineStep);
  return changed;
}

export async function scheduleStep(tx: Tx, jar: AppJar, app: App, step: MachineStep): Promise<void> {
  const key = keyOf(app);
  await tx.schedule(STEP_APP.at(jar.clock.now() + machineMs(jar, step), { key, id: app.id }, stepAppId(key)));
}

/** Throws while an update of the app is in progress, since the update determines the compute. */
export function checkNotUpdating({ name, update }: App): void {
  if (update?.state === 'IN_PROGRESS')
    throw errors.RESOURCE_CONFLICT({ reason: `App ${name} is being updated. Wait until the update has ended.` });
}

/** An app that is running or starting stays as it is. */
export async function startApp(tx: Tx, jar: AppJar, app: App): Promise<App> {
  checkNotUpdating(app);
  if (app.compute !== 'STOPPED' && app.compute !== 'STOPPING') return app;
  const started = await beginState(tx, jar, app, 'STARTING');
  await recordApp(tx, jar, 'start', started);
  return started;
}

/** Cancels a deployment that is in progress. */
export async function stopApp(tx: Tx, jar: AppJar, app: App): Promise<App> {
  checkNotUpdating(app);
  if (app.compute === 'STOPPED' || app.compute === 'STOPPING') return app;
  const stopped = await beginState(tx, jar, await withoutPending(tx, jar, app), 'STOPPING');
  await recordApp(tx, jar, 'stop', stopped);
  return stopped;
}

export async function withoutPending(tx: Tx, jar: AppJar, { pending, ...app }: App): Promise<App> {
  if (pending === undefined) return app;
  const key = deploymentKey(app, pending);
  const deployment = (await tx.get(appDeployments, key))?.value;
  await tx.cancel(finishDeploymentId(key));
  if (deployment) await endDeployment(tx, jar, app, deployment, 'CANCELLED', 'The deployment was cancelled.');
  return app;
}

export async function endDeployment(
  tx: Tx,
  { clock }: Pick<PlatformJar, 'clock'>,
  app: Pick<App, 'workspaceId' | 'id'>,
  { problem: _, ...deployment }: AppDeployment,
  state: AppDeployment['state'],
  message: string,
): Promise<void> {
  const ended: AppDeployment = { ...deployment, state, message, updatedAt: clock.now() };
  await tx.put(appDeployments, deploymentKey(app, deployment.id), ended);
}
