import { deleteSome, eq, SLICE, type Tx } from '../../../kernel/store/index.ts';
import { SECOND_MS } from '../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, type PlatformJar } from '../jar.ts';
import { Request } from '../tracking/request.ts';
import { putModel, putVersion, recordChange, withLatest } from './change-model.ts';
import {
  activities,
  keyOfModel,
  keyOfVersion,
  type ModelVersion,
  models,
  requestKey,
  requests,
  versions,
} from './collections.ts';
import { findModel, findVersion } from './find.ts';
import { LONGEST_DESCRIPTION, readTags, versionIn } from './names.ts';
import { openRequestsOf } from './open-requests.ts';
import { sourceOf } from './sources.ts';
import { isActive } from './stages.ts';
import { versionViewFor } from './transition.ts';
import { notifyRegistry } from './webhooks/notify.ts';
import { REGISTER_VERSION, registerId } from './work.ts';

const LONGEST_SOURCE = 4096;
const LONGEST_RUN_ID = 500;
const LONGEST_LINK = 4096;

/** Time to copy the files of a run into the registry. Chosen by us: the real service takes seconds to minutes. */
const COPYING_MS = 5 * SECOND_MS;

/** A new version of a model, with the next number. */
export async function createVersion(call: PlatformCall): Promise<JsonMembers> {
  const sent = Request.of(call);
  const name = sent.need('name');
  sent.need('source');
  const source = sent.short('source', LONGEST_SOURCE) ?? '';
  const runId = sent.short('run_id', LONGEST_RUN_ID) || undefined;
  const runLink = sent.short('run_link', LONGEST_LINK) || undefined;
  const description = sent.short('description', LONGEST_DESCRIPTION);
  const tags = readTags(sent);
  const { jar } = call;
  const by = callerIdentity(call).principal.id;
  // Before the transaction, which locks this model and would lock the source model as well.
  const { location, isCopied } = await sourceOf(call, source);
  const made = await jar.store.transact(async (tx) => {
    const model = await findModel(call, name, 'CAN_EDIT', tx);
    const now = jar.clock.now();
    const number = model.lastVersion + 1;
    const version = await putVersion(tx, {
      workspaceId: model.workspaceId,
      accountId: model.accountId,
      modelId: model.id,
      name,
      number,
      stage: 'None',
      source,
      location,
      ...omitAbsent({ runId, runLink, description }),
      tags,
      status: isCopied ? 'PENDING_REGISTRATION' : 'READY',
      creator: by,
      createdAt: now,
      updatedAt: now,
    });
    const after = { ...model, lastVersion: number, latest: { ...model.latest, None: number }, updatedAt: now };
    await putModel(tx, after);
    if (isCopied) await scheduleReady(tx, version, now + COPYING_MS);
    await recordChange(tx, jar, after, 'create', { version: String(number) });
    await notifyRegistry(tx, jar, { model: after, by, what: 'version-created', version });
    return { model: after, version };
  });
  return versionViewFor(call, made);
}

const scheduleReady = (tx: Tx, version: ModelVersion, at: number): Promise<string> =>
  tx.schedule(REGISTER_VERSION.at(at, { key: keyOfVersion(version) }, registerId(keyOfVersion(version))));

/** The files of a version have been copied: it becomes ready. */
export const registerVersion = workHandler(REGISTER_VERSION, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    await tx.complete(item);
    const seen = (await tx.get(versions, item.payload.key, 'none'))?.value;
    // Same lock order as in calls.
    const model = seen && (await tx.get(models, keyOfModel({ ...seen, id: seen.modelId })))?.value;
    const version = model && (await tx.get(versions, item.payload.key))?.value;
    if (version?.status !== 'PENDING_REGISTRATION') return;
    await putVersion(tx, { ...version, status: 'READY', updatedAt: jar.clock.now() });
    await recordChange(tx, jar, model as NonNullable<typeof model>, 'update', { version: String(version.number) });
  });
});

export async function getVersion(call: PlatformCall): Promise<JsonMembers> {
  const sent = Request.of(call);
  return versionViewFor(call, await findVersion(call, sent.need('name'), versionIn(sent), 'CAN_READ'));
}

export async function downloadUri(call: PlatformCall): Promise<string> {
  const sent = Request.of(call);
  return (await findVersion(call, sent.need('name'), versionIn(sent), 'CAN_READ')).version.location;
}

/** A call without a description keeps the current one. */
export async function updateVersion(call: PlatformCall): Promise<JsonMembers> {
  const sent = Request.of(call);
  const name = sent.need('name');
  const number = versionIn(sent);
  const description = sent.short('description', LONGEST_DESCRIPTION);
  const { jar } = call;
  const changed = await jar.store.transact(async (tx) => {
    const { model, version } = await findVersion(call, name, number, 'CAN_EDIT', tx);
    const after = { ...version, ...omitAbsent({ description }), updatedAt: jar.clock.now() };
    await recordChange(tx, jar, model, 'update', { version: String(number) });
    return { model, version: await putVersion(tx, after) };
  });
  return versionViewFor(call, changed);
}

/** Its number is not reused. Its aliases and open requests are deleted too. */
export async function deleteVersion(call: PlatformCall): Promise<void> {
  const sent = Request.of(call);
  const name = sent.need('name');
  const number = versionIn(sent);
  const { jar } = call;
  await jar.store.transact(async (tx) => {
    const { model, version } = await findVersion(call, name, number, 'CAN_MANAGE', tx);
    if (isActive(version.stage))
      throw errors.INVALID_STATE({
        reason: `Unable to delete Model Version (name=${name}, version=${number}): it is in stage ${version.stage}. Transition it out of Staging and Production first.`,
      });
    const key = keyOfVersion(version);
    await tx.delete(versions, key);
    await tx.cancel(registerId(key));
    while ((await deleteSome(tx, activities, { filter: eq('version', key) })) === SLICE);
    for (const { activity, to } of await openRequestsOf(tx, key))
      await tx.delete(requests, requestKey(key, to, activity.by));
    const aliases = model.aliases.filter((each) => each.version !== number);
    const after = await withLatest(tx, { ...model, aliases, updatedAt: jar.clock.now() }, [version.stage]);
    await putModel(tx, after);
    await recordChange(tx, jar, after, 'delete', { version: String(number) });
  });
}
