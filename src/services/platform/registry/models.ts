import { uuid } from '../../../kernel/ids/index.ts';
import { eq, pagesOf, type Tx } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { nameOf } from '../access/standing.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import { creatorAcl, type Guarded } from '../permissions/guard.ts';
import { isAdmin } from '../permissions/object.ts';
import { Request } from '../tracking/request.ts';
import { putModel, recordChange } from './change-model.ts';
import { keyOfModel, models, type RegisteredModel, versions } from './collections.ts';
import { findModel, guardOf, levelHeld, modelNamed, versionOf } from './find.ts';
import { rootOf } from './guarded.ts';
import { checkModelName, LONGEST_DESCRIPTION, readTags } from './names.ts';
import { ACTIVE_STAGES, STAGES, stageNamed } from './stages.ts';
import { versionViewFor } from './transition.ts';
import { modelView } from './views.ts';
import { cancelWebhooksOf } from './webhooks/cancel.ts';
import { notifyRegistry } from './webhooks/notify.ts';
import { purgeModelWork } from './work.ts';

/** Concurrent calls that use the same name wait for each other. */
const lockName = (tx: Tx, workspaceId: string, name: string): Promise<void> =>
  tx.lock(`platform.model-names:${workspaceId}/${name}`);

async function requireFreeName(tx: Tx, workspaceId: string, name: string): Promise<void> {
  await lockName(tx, workspaceId, name);
  if (await modelNamed(tx, workspaceId, name))
    throw errors.RESOURCE_ALREADY_EXISTS({ reason: `Registered Model (name=${name}) already exists.` });
}

/** Every principal with any level on the parent object of all models may create models. */
function requireCreation(call: PlatformCall, root: Guarded): void {
  const held = new Set(callerIdentity(call).ids);
  if (isAdmin(call) || root.acl.some(({ principal }) => held.has(principal))) return;
  const user = nameOf(callerIdentity(call).principal);
  throw errors.PERMISSION_DENIED({ reason: `${user} does not have permission to create registered models.` });
}

export async function createModel(call: PlatformCall): Promise<JsonMembers> {
  const sent = Request.of(call);
  const name = sent.text('name') ?? '';
  checkModelName(name);
  const description = sent.short('description', LONGEST_DESCRIPTION);
  const tags = readTags(sent);
  const { jar } = call;
  const workspace = workspaceIn(call);
  const by = callerIdentity(call).principal.id;
  const made = await jar.store.transact(async (tx) => {
    requireCreation(call, await rootOf(tx, workspace));
    await requireFreeName(tx, workspace.id, name);
    const now = jar.clock.now();
    const model: RegisteredModel = {
      id: uuid().replaceAll('-', ''),
      workspaceId: workspace.id,
      accountId: accountIn(call).id,
      name,
      ...(description !== undefined && { description }),
      tags,
      aliases: [],
      creator: by,
      acl: creatorAcl(call, 'registered-models'),
      createdAt: now,
      updatedAt: now,
      lastVersion: 0,
      latest: {},
    };
    await putModel(tx, model);
    await recordChange(tx, jar, model, 'create');
    await notifyRegistry(tx, jar, { model, by, what: 'model-created' });
    return model;
  });
  return modelView(jar.store, made);
}

export async function getModel(call: PlatformCall): Promise<JsonMembers> {
  return modelView(call.jar.store, await findModel(call, Request.of(call).need('name'), 'CAN_READ'));
}

/** The form of the platform's own API: with the id that the permissions API needs, and the caller's permission level. */
export async function getModelDatabricks(call: PlatformCall): Promise<JsonMembers> {
  const { store } = call.jar;
  const model = await findModel(call, Request.of(call).need('name'), 'CAN_READ');
  return {
    ...(await modelView(store, model)),
    id: model.id,
    permission_level: levelHeld(call, await guardOf(call, model, store)),
  };
}

/** A call without a description keeps the current one. */
export async function updateModel(call: PlatformCall): Promise<JsonMembers> {
  const sent = Request.of(call);
  const name = sent.need('name');
  const description = sent.short('description', LONGEST_DESCRIPTION);
  const { jar } = call;
  const changed = await jar.store.transact(async (tx) => {
    const model = await findModel(call, name, 'CAN_EDIT', tx);
    const after = { ...model, ...omitAbsent({ description }), updatedAt: jar.clock.now() };
    await recordChange(tx, jar, after, 'update');
    return putModel(tx, after);
  });
  return modelView(jar.store, changed);
}

/** Versions, tags, permissions and webhooks stay with the model, since they refer to its id. */
export async function renameModel(call: PlatformCall): Promise<JsonMembers> {
  const sent = Request.of(call);
  const name = sent.need('name');
  const newName = sent.need('new_name');
  checkModelName(newName);
  const { jar } = call;
  const workspace = workspaceIn(call);
  const renamed = await jar.store.transact(async (tx) => {
    // Sorted, so that two calls that swap names cannot deadlock.
    for (const each of [name, newName].sort()) await lockName(tx, workspace.id, each);
    const model = await findModel(call, name, 'CAN_MANAGE', tx);
    await requireFreeName(tx, workspace.id, newName);
    const now = jar.clock.now();
    for await (const page of pagesOf(tx, versions, { filter: eq('model', keyOfModel(model)) }))
      await tx.putAll(
        versions,
        page.map(({ key, value }) => [key, { ...value, name: newName, updatedAt: now }]),
      );
    const after = { ...model, name: newName, updatedAt: now };
    await recordChange(tx, jar, after, 'update', { before: name });
    return putModel(tx, after);
  });
  return modelView(jar.store, renamed);
}

/** The model is deleted immediately, and its name is free; due work removes everything that belonged to it. */
export async function deleteModel(call: PlatformCall): Promise<void> {
  const name = Request.of(call).need('name');
  const { jar } = call;
  await jar.store.transact(async (tx) => {
    const model = await findModel(call, name, 'CAN_MANAGE', tx);
    const stage = ACTIVE_STAGES.find((each) => model.latest[each] !== undefined);
    if (stage)
      throw errors.INVALID_STATE({
        reason: `Unable to delete registered model '${name}': its version ${model.latest[stage]} is in stage ${stage}. Transition all versions out of Staging and Production first.`,
      });
    await tx.delete(models, keyOfModel(model));
    await cancelWebhooksOf(tx, jar, model);
    await tx.schedule(purgeModelWork(keyOfModel(model), jar.clock.now()));
    await recordChange(tx, jar, model, 'delete');
  });
}

/** `get-latest-versions`: the newest version of each stage, or of the requested stages. */
export async function latestVersions(call: PlatformCall): Promise<readonly JsonMembers[]> {
  const sent = Request.of(call);
  const asked = sent.texts('stages');
  const stages = new Set(asked.length === 0 ? STAGES : asked.map(stageNamed));
  const model = await findModel(call, sent.need('name'), 'CAN_READ');
  const views: JsonMembers[] = [];
  for (const stage of STAGES) {
    const number = stages.has(stage) ? model.latest[stage] : undefined;
    const version = number === undefined ? undefined : await versionOf(call.jar.store, model, number);
    if (version) views.push(await versionViewFor(call, { model, version }));
  }
  return views;
}
