import { allOf, eq, readAll, type Tx } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { namesOf } from '../engine/names.ts';
import { callerIdentity, type PlatformCall, type PlatformJar } from '../jar.ts';
import { requireLevel } from '../permissions/guard.ts';
import { Request } from '../tracking/request.ts';
import { recordActivity } from './activities.ts';
import { putModel, putVersion, recordChange, withLatest } from './change-model.ts';
import { keyOfModel, keyOfVersion, type ModelVersion, type RegisteredModel, versions } from './collections.ts';
import { type FoundVersion, findVersion, guardOf, levelHeld } from './find.ts';
import { LONGEST_COMMENT, versionIn } from './names.ts';
import { openRequestsOf } from './open-requests.ts';
import { checkArchiving, levelToMove, type Stage, stageNamed } from './stages.ts';
import { activityView, versionView } from './views.ts';
import { notifyRegistry } from './webhooks/notify.ts';

export interface Move {
  readonly to: Stage;
  /** Versions in the target stage move to `Archived`. */
  readonly archives: boolean;
  readonly by: string;
  readonly comment?: string | undefined;
}

/** Moves a version to a stage, archives other versions if requested, and records activities and notifications. */
export async function moveVersion(
  tx: Tx,
  jar: PlatformJar,
  { model, version }: FoundVersion,
  { to, archives, by, comment }: Move,
): Promise<FoundVersion> {
  const now = jar.clock.now();
  const from = version.stage;
  const archived = archives ? await archiveOthers(tx, jar, { model, version }, to, by) : [];
  const moved = await putVersion(tx, { ...version, stage: to, updatedAt: now });
  const changed: readonly Stage[] = archived.length > 0 ? [from, to, 'Archived'] : [from, to];
  const after = await putModel(tx, await withLatest(tx, { ...model, updatedAt: now }, changed));
  await recordActivity(tx, jar, moved, {
    type: 'APPLIED_TRANSITION',
    by,
    from,
    to,
    ...(comment !== undefined && { comment }),
  });
  await recordChange(tx, jar, after, 'update', { version: String(moved.number), from, to });
  const happened = { model: after, by, what: 'stage-changed' } as const;
  for (const other of archived)
    await notifyRegistry(tx, jar, { ...happened, version: other, from: to, to: 'Archived' });
  if (from !== to) await notifyRegistry(tx, jar, { ...happened, version: moved, from, to, comment });
  return { model: after, version: moved };
}

async function archiveOthers(
  tx: Tx,
  jar: PlatformJar,
  { model, version }: FoundVersion,
  stage: Stage,
  by: string,
): Promise<readonly ModelVersion[]> {
  const filter = allOf(eq('model', keyOfModel(model)), eq('stage', stage), {
    op: 'ne',
    field: 'number',
    value: version.number,
  });
  const archived: ModelVersion[] = [];
  for (const { value } of await readAll(tx, versions, { filter, order: [{ field: 'number' }] })) {
    const other = await putVersion(tx, { ...value, stage: 'Archived', updatedAt: jar.clock.now() });
    const systemComment = `Archived because version ${version.number} was transitioned to ${stage}.`;
    await recordActivity(tx, jar, other, { type: 'SYSTEM_TRANSITION', by, from: stage, to: 'Archived', systemComment });
    archived.push(other);
  }
  return archived;
}

/** Parameters of calls that move a version. */
export function readMove(call: PlatformCall): Move & { readonly name: string; readonly number: number } {
  const sent = Request.of(call);
  const name = sent.need('name');
  const number = versionIn(sent);
  const to = stageNamed(sent.need('stage'));
  const archives = sent.flag('archive_existing_versions');
  if (archives === undefined) throw sent.missing('archive_existing_versions');
  checkArchiving(to, archives);
  const comment = sent.short('comment', LONGEST_COMMENT);
  return { name, number, to, archives, by: callerIdentity(call).principal.id, comment };
}

/** `transition-stage`. */
export async function transitionStage(call: PlatformCall): Promise<FoundVersion> {
  const { name, number, ...move } = readMove(call);
  return call.jar.store.transact(async (tx) => {
    const found = await findVersion(call, name, number, 'CAN_READ', tx);
    await requireMove(tx, call, found, move.to);
    return moveVersion(tx, call.jar, found, move);
  });
}

/** Throws if the caller may not move the version to this stage. */
export async function requireMove(
  tx: Tx,
  call: PlatformCall,
  { model, version }: FoundVersion,
  to: Stage,
): Promise<void> {
  requireLevel(call, await guardOf(call, model, tx), levelToMove(version.stage, to));
}

/** A version in the form of the platform's own API. */
export async function databricksVersionView(call: PlatformCall, found: FoundVersion): Promise<JsonMembers> {
  const { store } = call.jar;
  const { model, version } = found;
  const open = await openRequestsOf(store, keyOfVersion(version));
  const people = [version.creator, ...open.map(({ activity }) => activity.by)];
  const names = await namesOf(store, version.accountId, people);
  return {
    ...versionView(version, model, names),
    ...(open.length > 0 && { open_requests: open.map(({ activity }) => activityView(activity, names)) }),
    permission_level: levelHeld(call, await guardOf(call, model, store)),
    // Constant: the API has no operation to subscribe to registry mail.
    email_subscription_status: 'DEFAULT',
  };
}

export const versionViewFor = async (
  { jar }: Pick<PlatformCall, 'jar'>,
  { model, version }: { readonly model: Pick<RegisteredModel, 'name' | 'aliases'>; readonly version: ModelVersion },
): Promise<JsonMembers> => versionView(version, model, await namesOf(jar.store, version.accountId, [version.creator]));
