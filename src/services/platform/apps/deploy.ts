import { uuid } from '../../../kernel/ids/index.ts';
import { eq, type Tx } from '../../../kernel/store/index.ts';
import { isObject, type JsonMembers } from '../../../kernel/values/index.ts';
import { machineMs } from '../compute/timing.ts';
import { listOf, membersOf, textOf } from '../engine/json.ts';
import { namesOf } from '../engine/names.ts';
import { pageSize, readPage } from '../engine/paging.ts';
import { errors, platformError } from '../errors.ts';
import { callerIdentity, type PlatformCall } from '../jar.ts';
import { allows } from '../permissions/guard.ts';
import { follow } from '../tree/nodes.ts';
import { guardedOf } from '../workspace/guarded.ts';
import { ensureHome, treeOf, workspaceNames } from '../workspace/places.ts';
import { type App, type AppDeployment, appDeployments, deploymentKey, keyOf } from './collections.ts';
import { readDeployment } from './fields.ts';
import { checkStays, findApp } from './find.ts';
import { checkNotUpdating, putApp, recordApp } from './transitions.ts';
import { deploymentView } from './view.ts';
import { FINISH_DEPLOYMENT, finishDeploymentId } from './work.ts';

/** Deployments of apps. No code runs: a deployment succeeds if its source is a directory that the caller may read. */

/** An environment variable that makes a deployment fail; its value is the reason. Not part of the real service. */
const DEPLOYMENT_ERROR = 'CLOUDJAR_DEPLOYMENT_ERROR';

/** Number of the latest deployments of an app that are kept. */
const MOST_KEPT = 1000;

const ID = /^[A-Za-z0-9_-]{1,64}$/;

function readId(body: JsonMembers): string {
  const given = body.deployment_id;
  if (given === undefined || given === null) return uuid().replaceAll('-', '');
  if (typeof given === 'string' && ID.test(given)) return given;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: "The field 'deployment_id' must be 1 to 64 letters, digits, dashes and underscores.",
  });
}

export async function createDeployment(call: PlatformCall, name: string): Promise<JsonMembers> {
  const { jar } = call;
  await findApp(call, name, 'CAN_MANAGE');
  const sent = readDeployment(call.body ?? {});
  const id = readId(call.body as JsonMembers);
  await ensureHome(call);
  const { app, deployment } = await jar.store.transact(async (tx) => {
    const found = await findApp(call, name, 'CAN_MANAGE', tx);
    checkMayDeploy(found);
    const fields = withSource(found, sent);
    const key = deploymentKey(found, id);
    if (await tx.get(appDeployments, key))
      throw platformError(409, 'RESOURCE_ALREADY_EXISTS', `App ${name} already has a deployment ${id}.`, []);
    const now = jar.clock.now();
    const problem = requestedProblem(fields) ?? (await sourceProblem(tx, call, fields));
    const made: AppDeployment = {
      id,
      appId: found.id,
      creator: callerIdentity(call).principal.id,
      createdAt: now,
      updatedAt: now,
      number: await nextNumber(tx, found),
      fields,
      state: 'IN_PROGRESS',
      message: 'The deployment is in progress.',
      ...(problem !== undefined && { problem }),
    };
    await tx.put(appDeployments, key, made);
    const changed = await putApp(tx, jar, { ...found, pending: id, updater: made.creator });
    const dueAt = now + machineMs(jar, 'appDeploy');
    await tx.schedule(FINISH_DEPLOYMENT.at(dueAt, { key: keyOf(found), deployment: id }, finishDeploymentId(key)));
    await recordApp(tx, jar, 'begin-deploy', changed);
    return { app: changed, deployment: made };
  });
  return deploymentView(app, deployment, await namesOf(jar.store, app.accountId, [deployment.creator]));
}

function checkMayDeploy(app: App): void {
  checkStays(app);
  checkNotUpdating(app);
  const { name, pending, compute } = app;
  if (pending !== undefined)
    throw errors.RESOURCE_CONFLICT({
      reason: `Cannot deploy app ${name} as there is an active deployment in progress: ${pending}.`,
    });
  if (compute !== 'ACTIVE')
    throw errors.BAD_REQUEST({
      reason: `Cannot deploy app ${name} as its compute is ${compute}, not ACTIVE. Start the app first.`,
    });
}

/** If the deployment names no source, it uses the previous one. */
function withSource({ sourcePath }: App, fields: JsonMembers): JsonMembers {
  if (fields.source_code_path !== undefined || fields.git_source !== undefined) return fields;
  if (sourcePath === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'source_code_path' });
  return { ...fields, source_code_path: sourcePath };
}

function requestedProblem({ env_vars }: JsonMembers): string | undefined {
  const ordered = listOf(env_vars)
    .map(membersOf)
    .find(({ name }) => name === DEPLOYMENT_ERROR);
  return textOf(ordered?.value);
}

async function sourceProblem(tx: Tx, call: PlatformCall, fields: JsonMembers): Promise<string | undefined> {
  const path = textOf(fields.source_code_path);
  if (path === undefined || isObject(fields.git_source)) return undefined;
  const { nodes, missing } = await follow(tx, treeOf(call), workspaceNames(path, 'source_code_path'));
  const last = nodes.at(-1);
  const isThere = missing.length === 0 && last?.inside !== undefined && allows(call, guardedOf(nodes), 'CAN_READ');
  return isThere ? undefined : `The source code path ${path.slice(0, 500)} does not exist.`;
}

/** Returns the next number, and removes the oldest deployment if there would be too many. */
async function nextNumber(tx: Tx, app: App): Promise<number> {
  const filter = eq('app', app.id);
  const last = await tx.query(appDeployments, { filter, order: [{ field: 'number', descending: true }], limit: 1 });
  const number = (last.items[0]?.value.number ?? 0) + 1;
  if (number <= MOST_KEPT) return number;
  const old = await tx.query(appDeployments, { filter, order: [{ field: 'number' }], limit: 2 });
  const gone = old.items.find(({ value }) => value.id !== app.active);
  if (gone) await tx.delete(appDeployments, gone.key);
  return number;
}

export async function listDeployments(call: PlatformCall, name: string): Promise<JsonMembers> {
  const { store } = call.jar;
  const app = await findApp(call, name, 'CAN_USE');
  const { items, next } = await readPage(call, {
    collection: appDeployments,
    query: { filter: eq('app', app.id), order: [{ field: 'number', descending: true }] },
    size: pageSize(call.query),
    bound: [app.id],
  });
  const creators = items.map(({ value }) => value.creator);
  const names = await namesOf(store, app.accountId, creators);
  return {
    app_deployments: items.map(({ value }) => deploymentView(app, value, names)),
    ...(next !== undefined && { next_page_token: next }),
  };
}

export async function getDeployment(call: PlatformCall, name: string, id: string): Promise<JsonMembers> {
  const { store } = call.jar;
  const app = await findApp(call, name, 'CAN_USE');
  const found = ID.test(id) ? (await store.get(appDeployments, deploymentKey(app, id)))?.value : undefined;
  if (!found) throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `App ${name} has no deployment ${id.slice(0, 100)}.` });
  return deploymentView(app, found, await namesOf(store, app.accountId, [found.creator]));
}
