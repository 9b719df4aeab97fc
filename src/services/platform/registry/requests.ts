import type { Tx } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { findByLogin } from '../access/find-principal.ts';
import { namesOf } from '../engine/names.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import { allows, type Guarded } from '../permissions/guard.ts';
import { Request } from '../tracking/request.ts';
import { type NewActivity, recordActivity } from './activities.ts';
import { recordChange } from './change-model.ts';
import { type Activity, keyOfVersion, requestKey, requests, type TransitionRequest } from './collections.ts';
import { type FoundVersion, findVersion, guardOf } from './find.ts';
import { LONGEST_COMMENT, versionIn } from './names.ts';
import { openRequestsOf } from './open-requests.ts';
import { levelToMove, type Stage, stageNamed } from './stages.ts';
import { moveVersion, readMove, requireMove } from './transition.ts';
import { activityView } from './views.ts';
import { notifyRegistry } from './webhooks/notify.ts';

/** Requests for a stage transition that another user has to approve. */

const noSuchRequest = ({ model, version }: FoundVersion, to: Stage) =>
  errors.RESOURCE_DOES_NOT_EXIST({
    reason: `Transition request to stage '${to}' for Model Version (name=${model.name}, version=${version.number}) not found`,
  });

function readRequest(call: PlatformCall) {
  const sent = Request.of(call);
  return {
    name: sent.need('name'),
    number: versionIn(sent),
    to: stageNamed(sent.need('stage')),
    comment: sent.short('comment', LONGEST_COMMENT),
  };
}

const withComment = (comment: string | undefined) => (comment === undefined ? {} : { comment });

export async function createRequest(call: PlatformCall): Promise<JsonMembers> {
  const { name, number, to, comment } = readRequest(call);
  const by = callerIdentity(call).principal.id;
  const { jar } = call;
  const made = await jar.store.transact(async (tx) => {
    const found = await findVersion(call, name, number, 'CAN_READ', tx);
    const { model, version } = found;
    const key = requestKey(keyOfVersion(version), to, by);
    if (await tx.get(requests, key))
      throw errors.RESOURCE_ALREADY_EXISTS({
        reason: `There is an open transition request to stage '${to}' for Model Version (name=${name}, version=${number}) by the same user.`,
      });
    const what: NewActivity = { type: 'REQUESTED_TRANSITION', by, from: version.stage, to, ...withComment(comment) };
    const activity = await recordActivity(tx, jar, version, what);
    await tx.put(requests, key, { activity, to });
    await recordChange(tx, jar, model, 'request', { version: String(number), to });
    await notifyRegistry(tx, jar, { model, by, what: 'transition-requested', version, to, comment });
    return { request: { activity, to }, guarded: await guardOf(call, model, tx), stage: version.stage };
  });
  const names = await namesOf(jar.store, workspaceIn(call).accountId, [by]);
  const { creation_timestamp, user_id, to_stage, comment: said } = activityView(made.request.activity, names);
  return {
    creation_timestamp,
    user_id,
    to_stage,
    ...(said !== undefined && { comment: said }),
    available_actions: actionsOn(call, made.guarded, made.stage, made.request),
  };
}

/** The actions that the caller may perform on an open request. */
function actionsOn(
  call: PlatformCall,
  guarded: Guarded,
  from: Stage,
  { activity, to }: TransitionRequest,
): readonly string[] {
  const mayDecide = allows(call, guarded, levelToMove(from, to));
  return [
    ...(mayDecide ? ['APPROVE_TRANSITION_REQUEST', 'REJECT_TRANSITION_REQUEST'] : []),
    ...(mayCancel(call, guarded, activity.by) ? ['CANCEL_TRANSITION_REQUEST'] : []),
  ];
}

/** The creator of a request and the managers of the model may cancel it. */
const mayCancel = (call: PlatformCall, guarded: Guarded, creator: string): boolean =>
  callerIdentity(call).principal.id === creator || allows(call, guarded, 'CAN_MANAGE');

export async function listRequests(call: PlatformCall): Promise<readonly JsonMembers[]> {
  const sent = Request.of(call);
  const { store } = call.jar;
  const { model, version } = await findVersion(call, sent.need('name'), versionIn(sent), 'CAN_READ');
  const open = await openRequestsOf(store, keyOfVersion(version));
  const guarded = await guardOf(call, model, store);
  const names = await namesOf(
    store,
    model.accountId,
    open.map(({ activity }) => activity.by),
  );
  return open.map((request) => ({
    ...activityView(request.activity, names),
    available_actions: actionsOn(call, guarded, version.stage, request),
  }));
}

/** Closes all open requests for a transition to this stage. Throws if none is open. */
async function closeRequests(tx: Tx, found: FoundVersion, to: Stage): Promise<void> {
  const version = keyOfVersion(found.version);
  const open = await openRequestsOf(tx, version, to);
  if (open.length === 0) throw noSuchRequest(found, to);
  for (const { activity } of open) await tx.delete(requests, requestKey(version, to, activity.by));
}

const shown = async (call: PlatformCall, activity: Activity): Promise<JsonMembers> =>
  activityView(activity, await namesOf(call.jar.store, workspaceIn(call).accountId, [activity.by]));

/** Approves the request and performs the transition. */
export async function approveRequest(call: PlatformCall): Promise<JsonMembers> {
  const { name, number, ...move } = readMove(call);
  const { by, to, comment } = move;
  const activity = await call.jar.store.transact(async (tx) => {
    const found = await findVersion(call, name, number, 'CAN_READ', tx);
    await requireMove(tx, call, found, to);
    await closeRequests(tx, found, to);
    const what: NewActivity = { type: 'APPROVED_REQUEST', by, from: found.version.stage, to, ...withComment(comment) };
    const approved = await recordActivity(tx, call.jar, found.version, what);
    await moveVersion(tx, call.jar, found, move);
    return approved;
  });
  return shown(call, activity);
}

export async function rejectRequest(call: PlatformCall): Promise<JsonMembers> {
  const { name, number, to, comment } = readRequest(call);
  const by = callerIdentity(call).principal.id;
  const activity = await call.jar.store.transact(async (tx) => {
    const found = await findVersion(call, name, number, 'CAN_READ', tx);
    await requireMove(tx, call, found, to);
    await closeRequests(tx, found, to);
    const what: NewActivity = { type: 'REJECTED_REQUEST', by, from: found.version.stage, to, ...withComment(comment) };
    await recordChange(tx, call.jar, found.model, 'reject', { version: String(number), to });
    return recordActivity(tx, call.jar, found.version, what);
  });
  return shown(call, activity);
}

/** Cancels the request of the user named by `creator`. */
export async function deleteRequest(call: PlatformCall): Promise<JsonMembers> {
  const { name, number, to, comment } = readRequest(call);
  const creatorName = Request.of(call).need('creator');
  const by = callerIdentity(call).principal.id;
  const workspace = workspaceIn(call);
  const activity = await call.jar.store.transact(async (tx) => {
    const found = await findVersion(call, name, number, 'CAN_READ', tx);
    const creator = await findByLogin(tx, workspace, ['user', 'servicePrincipal'], creatorName);
    const key = requestKey(keyOfVersion(found.version), to, creator?.id ?? creatorName);
    const request = (await tx.get(requests, key))?.value;
    if (!request) throw noSuchRequest(found, to);
    if (!mayCancel(call, await guardOf(call, found.model, tx), request.activity.by))
      throw errors.PERMISSION_DENIED({ reason: 'Only the creator of a transition request can delete it.' });
    await tx.delete(requests, key);
    const what: NewActivity = { type: 'CANCELLED_REQUEST', by, from: found.version.stage, to, ...withComment(comment) };
    await recordChange(tx, call.jar, found.model, 'cancel', { version: String(number), to });
    return recordActivity(tx, call.jar, found.version, what);
  });
  return shown(call, activity);
}
