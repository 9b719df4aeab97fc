import type { Reader } from '../../../kernel/store/index.ts';
import { eq } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { namesOf } from '../engine/names.ts';
import { pageSize, readPage } from '../engine/paging.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import { allows, type Guarded, requireLevel } from '../permissions/guard.ts';
import { Request } from '../tracking/request.ts';
import { recordActivity } from './activities.ts';
import { recordChange } from './change-model.ts';
import {
  type Activity,
  activities,
  activityKey,
  keyOfVersion,
  modelKey,
  models,
  type RegisteredModel,
} from './collections.ts';
import { findVersion, guardOf } from './find.ts';
import { LONGEST_COMMENT, versionIn } from './names.ts';
import { activityView } from './views.ts';
import { notifyRegistry } from './webhooks/notify.ts';

/**
 * Comments on versions. Every reader of a model may comment. Only the author may change a comment; the author and managers of the model may
 * remove it.
 */

function readComment(sent: Request): string {
  const comment = sent.need('comment');
  if (Buffer.byteLength(comment) > LONGEST_COMMENT)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `A comment has at most ${LONGEST_COMMENT} bytes.` });
  return comment;
}

const isAuthor = (call: PlatformCall, { by }: Activity): boolean => callerIdentity(call).principal.id === by;

async function commentView(call: PlatformCall, activity: Activity, guarded: Guarded): Promise<JsonMembers> {
  const { nameOf } = await namesOf(call.jar.store, workspaceIn(call).accountId, [activity.by]);
  const mine = isAuthor(call, activity);
  return {
    id: activity.id,
    comment: activity.comment,
    user_id: nameOf(activity.by),
    creation_timestamp: activity.createdAt,
    last_updated_timestamp: activity.updatedAt,
    available_actions: [
      ...(mine ? ['EDIT_COMMENT'] : []),
      ...(mine || allows(call, guarded, 'CAN_MANAGE') ? ['DELETE_COMMENT'] : []),
    ],
  };
}

export async function createComment(call: PlatformCall): Promise<JsonMembers> {
  const sent = Request.of(call);
  const name = sent.need('name');
  const number = versionIn(sent);
  const comment = readComment(sent);
  const by = callerIdentity(call).principal.id;
  const { jar } = call;
  const made = await jar.store.transact(async (tx) => {
    const { model, version } = await findVersion(call, name, number, 'CAN_READ', tx);
    const activity = await recordActivity(tx, jar, version, { type: 'NEW_COMMENT', by, comment });
    await recordChange(tx, jar, model, 'comment', { version: String(number), comment: activity.id });
    await notifyRegistry(tx, jar, { model, by, what: 'comment-created', version, comment });
    return { activity, guarded: await guardOf(call, model, tx) };
  });
  return commentView(call, made.activity, made.guarded);
}

interface FoundComment {
  readonly model: RegisteredModel;
  readonly activity: Activity;
  readonly guarded: Guarded;
}

/** A comment on a version of a model that the caller may read. */
async function findComment(call: PlatformCall, id: string, reader: Reader): Promise<FoundComment> {
  const workspaceId = workspaceIn(call).id;
  const activity = (await reader.get(activities, activityKey(workspaceId, id)))?.value;
  const model =
    activity?.type === 'NEW_COMMENT'
      ? (await reader.get(models, modelKey(workspaceId, activity.modelId)))?.value
      : undefined;
  if (!activity || !model)
    throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Comment with id=${id.slice(0, 100)} not found` });
  const guarded = await guardOf(call, model, reader);
  requireLevel(call, guarded, 'CAN_READ');
  return { model, activity, guarded };
}

export async function updateComment(call: PlatformCall): Promise<JsonMembers> {
  const sent = Request.of(call);
  const id = sent.need('id');
  const comment = readComment(sent);
  const { jar } = call;
  const changed = await jar.store.transact(async (tx) => {
    const { model, activity, guarded } = await findComment(call, id, tx);
    if (!isAuthor(call, activity))
      throw errors.PERMISSION_DENIED({ reason: 'Only the author of a comment can edit it.' });
    const edited: Activity = { ...activity, comment, updatedAt: jar.clock.now() };
    await tx.put(activities, activityKey(activity.workspaceId, id), edited);
    await recordChange(tx, jar, model, 'update', { version: String(activity.version), comment: id });
    return { activity: edited, guarded };
  });
  return commentView(call, changed.activity, changed.guarded);
}

export async function deleteComment(call: PlatformCall): Promise<void> {
  const id = Request.of(call).need('id');
  await call.jar.store.transact(async (tx) => {
    const { model, activity, guarded } = await findComment(call, id, tx);
    if (!isAuthor(call, activity) && !allows(call, guarded, 'CAN_MANAGE'))
      throw errors.PERMISSION_DENIED({
        reason: 'Only the author of a comment, and those who manage the model, can delete it.',
      });
    await tx.delete(activities, activityKey(activity.workspaceId, id));
    await recordChange(tx, call.jar, model, 'update', { version: String(activity.version), comment: id });
  });
}

/** All activities of a version, oldest first. */
export async function listActivities(call: PlatformCall): Promise<JsonMembers> {
  const sent = Request.of(call);
  const { version } = await findVersion(call, sent.need('name'), versionIn(sent), 'CAN_READ');
  const { items, next } = await readPage(call, {
    collection: activities,
    query: { filter: eq('version', keyOfVersion(version)), order: [{ field: 'order' }] },
    size: pageSize(call.query, undefined, 'max_results'),
  });
  const people = items.map(({ value }) => value.by);
  const names = await namesOf(call.jar.store, version.accountId, people);
  return {
    ...(items.length > 0 && { activities: items.map(({ value }) => activityView(value, names)) }),
    ...(next !== undefined && { next_page_token: next }),
  };
}
