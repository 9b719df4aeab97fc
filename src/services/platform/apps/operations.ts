import { ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { allOf, eq, type Tx } from '../../../kernel/store/index.ts';
import { MINUTE_MS } from '../../../kernel/time/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { pageSize, readPage } from '../engine/paging.ts';
import { Sent } from '../engine/sent.ts';
import { errors, platformError } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, routeCode, workspaceIn } from '../jar.ts';
import { freeCount, takeCount } from '../limits/take.ts';
import type { Operation } from '../operation.ts';
import { creatorAcl, readersFilter } from '../permissions/guard.ts';
import { type App, apps, keyOf } from './collections.ts';
import { createDeployment, getDeployment, listDeployments } from './deploy.ts';
import { checkAppName, readApp } from './fields.ts';
import { checkStays, findApp } from './find.ts';
import { addAppPrincipal } from './principal.ts';
import { changeGrants } from './resources.ts';
import { beginState, putApp, recordApp, startApp, stopApp, withoutPending } from './transitions.ts';
import { patchApp, updateApp } from './update.ts';
import { appView, appViews, updateView } from './view.ts';

const PATH = '/apps';

async function createApp(call: PlatformCall): Promise<App> {
  const { jar } = call;
  const name = checkAppName(new Sent(call.body).need('name'));
  const fields = readApp(call.body, true);
  const isStopped = call.query.no_compute === 'true';
  const workspace = workspaceIn(call);
  const creator = callerIdentity(call).principal.id;
  return jar.store.transact(async (tx) => {
    const now = jar.clock.now();
    const id = uuid();
    const key = keyOf({ workspaceId: workspace.id, name });
    await tx.lock(`platform.apps:${key}`);
    if (await tx.get(apps, key))
      throw platformError(409, 'RESOURCE_ALREADY_EXISTS', `An app with the same name already exists: ${name}`, []);
    await takeCount(tx, jar, { row: 'apps', scope: [workspace.id] });
    const principal = await addAppPrincipal(tx, jar, workspace, { id, name });
    await changeGrants(tx, call, principal.id, {}, fields);
    const app: App = {
      id,
      name,
      workspaceId: workspace.id,
      accountId: accountIn(call).id,
      acl: creatorAcl(call, 'apps'),
      creator,
      updater: creator,
      createdAt: now,
      updatedAt: now,
      fields,
      principal,
      oauthClientId: uuid(),
      oauthIntegrationId: uuid(),
      compute: 'STOPPED',
    };
    const made = isStopped ? await putApp(tx, jar, app) : await beginState(tx, jar, app, 'STARTING');
    await recordApp(tx, jar, 'create', made);
    return made;
  });
}

async function listApps(call: PlatformCall): Promise<object> {
  const { space } = call.query;
  const inSpace = typeof space === 'string' && space !== '' ? eq('space', space) : undefined;
  const { items, next } = await readPage(call, {
    collection: apps,
    query: {
      filter: allOf(eq('workspace', workspaceIn(call).id), readersFilter(call), inSpace),
      order: [{ field: 'name' }],
    },
    size: pageSize(call.query),
  });
  const shown = items.map(({ value }) => value);
  return {
    apps: await appViews(call.jar.store, accountIn(call).id, shown),
    ...(next !== undefined && { next_page_token: next }),
  };
}

/** If a deletion takes longer, it can be requested again. */
const DELETION_MS = 20 * MINUTE_MS;

/** The app is removed a little later; its quota in the workspace is freed immediately. */
async function deleteApp(tx: Tx, call: PlatformCall, app: App): Promise<App> {
  const { jar } = call;
  const { name, compute, workspaceId } = app;
  if (compute === 'DELETING')
    throw errors.BAD_REQUEST({
      reason: `App ${name} cannot be deleted: its compute is in the state DELETING, which is not terminal, and was updated less than ${DELETION_MS / MINUTE_MS} minutes ago.`,
    });
  await freeCount(tx, jar, { row: 'apps', scope: [workspaceId] });
  const deleting = await beginState(tx, jar, await withoutPending(tx, jar, app), 'DELETING');
  await recordApp(tx, jar, 'delete', deleting);
  return deleting;
}

/** An action on one app that completes before the response; the answer is the app. */
const act =
  (action: (tx: Tx, call: PlatformCall, app: App) => Promise<App>) =>
  async (call: PlatformCall, name: string): Promise<JsonMembers> => {
    const { store } = call.jar;
    const after = await store.transact(async (tx) => action(tx, call, await findApp(call, name, 'CAN_MANAGE', tx)));
    return appView(store, after);
  };

const ofOne = (
  method: Operation['method'],
  path: string,
  operation: string,
  summary: string,
  handle: (call: PlatformCall, name: string) => Promise<object>,
): Operation => ({
  method,
  path: `${PATH}/{name}${path}`,
  operation: `apps_${operation}`,
  summary,
  code: routeCode(['name'], { handle: async (call) => ok(await handle(call, call.params.name)) }),
});

export const APP_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: PATH,
    operation: 'apps_create',
    summary: 'Creates an app with its own service principal, and starts its compute unless no_compute is true',
    code: routeCode([], { handle: async (call) => ok(await appView(call.jar.store, await createApp(call))) }),
  },
  {
    method: 'GET',
    path: PATH,
    operation: 'apps_list',
    summary: 'Lists apps',
    code: routeCode([], { handle: async (call) => ok(await listApps(call)) }),
  },
  ofOne('GET', '', 'get', 'Reads an app', async (call, name) =>
    appView(call.jar.store, await findApp(call, name, 'CAN_USE')),
  ),
  ofOne('PATCH', '', 'patch', 'Changes an app immediately', async (call, name) =>
    appView(call.jar.store, await patchApp(call, name)),
  ),
  ofOne('DELETE', '', 'delete', 'Starts the deletion of an app', act(deleteApp)),
  ofOne(
    'POST',
    '/start',
    'start',
    'Starts the compute of an app',
    act((tx, { jar }, app) => {
      checkStays(app);
      return startApp(tx, jar, app);
    }),
  ),
  ofOne(
    'POST',
    '/stop',
    'stop',
    'Stops the compute of an app',
    act((tx, { jar }, app) => {
      checkStays(app);
      return stopApp(tx, jar, app);
    }),
  ),
  ofOne('POST', '/update', 'createUpdate', 'Starts an update of an app and its compute', async (call, name) =>
    updateView(await updateApp(call, name)),
  ),
  ofOne(
    'GET',
    '/update',
    'getUpdate',
    'Reads the state of the last update of an app and its compute',
    async (call, name) => updateView(await findApp(call, name, 'CAN_USE')),
  ),
  ofOne('POST', '/deployments', 'deploy', 'Starts a deployment of an app', createDeployment),
  ofOne('GET', '/deployments', 'listDeployments', 'Lists the deployments of an app, the newest first', listDeployments),
  {
    method: 'GET',
    path: `${PATH}/{name}/deployments/{deployment_id}`,
    operation: 'apps_getDeployment',
    summary: 'Reads a deployment of an app',
    code: routeCode(['name', 'deployment_id'], {
      handle: async (call) => ok(await getDeployment(call, call.params.name, call.params.deployment_id)),
    }),
  },
];
