import { callerIdentity, type PlatformCall } from '../jar.ts';
import { Request } from '../tracking/request.ts';
import { putModel, putVersion, recordChange } from './change-model.ts';
import { findModel, findVersion } from './find.ts';
import { readTag, versionIn, withoutTag, withTag } from './names.ts';
import { notifyRegistry } from './webhooks/notify.ts';

/** Tags of models and versions. Setting an existing tag replaces its value; deleting a tag that does not exist succeeds. */

export async function setModelTag(call: PlatformCall): Promise<void> {
  const sent = Request.of(call);
  const name = sent.need('name');
  const tag = readTag(sent);
  const { jar } = call;
  await jar.store.transact(async (tx) => {
    const model = await findModel(call, name, 'CAN_EDIT', tx);
    const after = await putModel(tx, { ...model, tags: withTag(model.tags, tag) });
    await recordChange(tx, jar, after, 'update', { tag: tag.key });
    await notifyRegistry(tx, jar, { model: after, by: callerIdentity(call).principal.id, what: 'model-tag-set', tag });
  });
}

export async function deleteModelTag(call: PlatformCall): Promise<void> {
  const sent = Request.of(call);
  const name = sent.need('name');
  const key = sent.need('key');
  const { jar } = call;
  await jar.store.transact(async (tx) => {
    const model = await findModel(call, name, 'CAN_EDIT', tx);
    const tags = withoutTag(model.tags, key);
    if (tags.length === model.tags.length) return;
    const after = await putModel(tx, { ...model, tags });
    await recordChange(tx, jar, after, 'update', { tag: key });
    // Passes the model with its previous tags, because a tag also marks a model as a prompt.
    await notifyRegistry(tx, jar, { model, by: callerIdentity(call).principal.id, what: 'model-tag-deleted', key });
  });
}

export async function setVersionTag(call: PlatformCall): Promise<void> {
  const sent = Request.of(call);
  const name = sent.need('name');
  const number = versionIn(sent);
  const tag = readTag(sent);
  const { jar } = call;
  await jar.store.transact(async (tx) => {
    const { model, version } = await findVersion(call, name, number, 'CAN_EDIT', tx);
    const after = await putVersion(tx, { ...version, tags: withTag(version.tags, tag) });
    await recordChange(tx, jar, model, 'update', { version: String(number), tag: tag.key });
    const by = callerIdentity(call).principal.id;
    await notifyRegistry(tx, jar, { model, by, what: 'version-tag-set', version: after, tag });
  });
}

export async function deleteVersionTag(call: PlatformCall): Promise<void> {
  const sent = Request.of(call);
  const name = sent.need('name');
  const number = versionIn(sent);
  const key = sent.need('key');
  const { jar } = call;
  await jar.store.transact(async (tx) => {
    const { model, version } = await findVersion(call, name, number, 'CAN_EDIT', tx);
    const tags = withoutTag(version.tags, key);
    if (tags.length === version.tags.length) return;
    const after = await putVersion(tx, { ...version, tags });
    await recordChange(tx, jar, model, 'update', { version: String(number), tag: key });
    const by = callerIdentity(call).principal.id;
    await notifyRegistry(tx, jar, { model, by, what: 'version-tag-deleted', version: after, key });
  });
}
