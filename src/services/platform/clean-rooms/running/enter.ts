import { eq, type Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { holds, visibilityOf } from '../../catalog/core/access.ts';
import { byId, type Chain } from '../../catalog/core/chain.ts';
import { metastoreAssignments } from '../../catalog/core/collections.ts';
import { securableKey, securables } from '../../catalog/core/securables.ts';
import { textOf } from '../../engine/json.ts';
import type { PlatformJar } from '../../jar.ts';
import { runKey } from '../../jobs/collections.ts';
import type { Ending } from '../../jobs/run.ts';
import { lookupFor } from '../../jobs/running/lookup.ts';
import { resolve } from '../../jobs/running/references.ts';
import type { RunChange } from '../../jobs/running/run-change.ts';
import { taskDue } from '../../jobs/running/work.ts';
import type { TaskRun } from '../../jobs/task-run.ts';
import { quotaOf } from '../../limits/declared.ts';
import { findRevision, rulesOf } from '../assets.ts';
import {
  assetKey,
  type CentralRoom,
  centralRooms,
  type Revision,
  type RoomRun,
  roomAssets,
  roomRunKey,
  roomRuns,
} from '../collections.ts';
import { localOf } from '../kind.ts';
import { mayRun, reviewStateOf } from '../reviews.ts';

const SLOTS = quotaOf('clean-room-tasks');

const failed = (message: string, code?: NonNullable<Ending['code']>): Ending => ({
  outcome: code === undefined ? 'FAILED' : 'INTERNAL_ERROR',
  message,
  ...(code !== undefined && { code }),
});

/** A task in its clean room; `waits`: it is queued behind other tasks. */
export interface Entered {
  readonly task: TaskRun;
  readonly waits: boolean;
}

/**
 * Checks whether a task may run its notebook now. It is checked again on each visit of the task, since everything may change while the task
 * waits.
 */
export async function enterCleanRoom(change: RunChange, task: TaskRun): Promise<Entered | Ending> {
  const settings = resolve(change.settingsFor(task).clean_rooms_notebook_task, await lookupFor(change, task));
  const found = await findNotebook(change, settings as JsonMembers);
  if ('outcome' in found) return found;
  const { central, alias, revision, notebook } = found;
  const { tx, jar, run, now } = change;
  await lockQueue(tx, central.id);
  const key = roomRunKey(central.id, task.workspaceId, task.id);
  const before = (await tx.get(roomRuns, key))?.value;
  const entered: TaskRun = { ...task, cleanRoom: central.id };
  if (before?.state === 'RUNNING') return { task: entered, waits: false };
  const isFree = (await isNext(tx, central.id, key)) && (await takeSlot(tx, jar, central.id));
  const record: RoomRun = {
    room: central.id,
    alias,
    metastore: found.metastore,
    accountId: run.accountId,
    workspaceId: run.workspaceId,
    ...(run.jobId !== undefined && { jobId: run.jobId }),
    runId: run.id,
    taskId: task.id,
    runAs: run.runAs,
    notebook,
    etag: revision.etag,
    revision: revision.number,
    notebookUpdatedAt: revision.updatedAt,
    state: isFree ? 'RUNNING' : 'QUEUED',
    createdAt: before?.createdAt ?? now,
    ...(isFree && { startedAt: now }),
  };
  await tx.put(roomRuns, key, record);
  // Several runs may have ended at once, and all of them have woken the same waiting task.
  if (isFree) await wakeNext(tx, jar, central.id);
  return { task: entered, waits: !isFree };
}

interface Found {
  readonly central: CentralRoom;
  readonly alias: string;
  readonly metastore: string;
  readonly notebook: string;
  readonly revision: Revision;
}

/** The notebook that a task names. Returns the ending of the task if the identity of the run may not run it. */
async function findNotebook(change: RunChange, settings: JsonMembers): Promise<Found | Ending> {
  const { tx, jar, run } = change;
  const name = textOf(settings.clean_room_name) ?? '';
  const missing = failed(`Clean room '${name.slice(0, 300)}' does not exist.`, 'RESOURCE_NOT_FOUND');
  const chain = await localRoom(tx, run.workspaceId, name);
  if (!chain) return missing;
  const standing = await jar.callerIdentities.within(tx, run.accountId, run.runAs);
  if (!standing || visibilityOf(standing, chain) === 'none') return missing;
  if (!holds(standing, chain, 'EXECUTE_CLEAN_ROOM_TASK'))
    return failed(
      `The identity of the run does not have EXECUTE CLEAN ROOM TASK on CleanRoom '${chain.target.name}'.`,
      'UNAUTHORIZED_ERROR',
    );
  const { room, alias } = localOf(chain.target);
  const central = (await tx.get(centralRooms, room, 'none'))?.value;
  if (central?.status !== 'ACTIVE')
    return failed(`The clean room '${chain.target.name}' is ${central?.status ?? 'DELETED'}, not ACTIVE.`);
  const notebook = textOf(settings.notebook_name) ?? '';
  const asset = (await tx.get(roomAssets, assetKey({ room, type: 'NOTEBOOK_FILE', name: notebook }), 'none'))?.value;
  if (!asset)
    return failed(
      `The clean room '${chain.target.name}' has no notebook '${notebook.slice(0, 300)}'.`,
      'RESOURCE_NOT_FOUND',
    );
  const revision = await findRevision(tx, asset);
  const problem = await refusalReason(change, central, { alias, notebook, revision, etag: textOf(settings.etag) });
  return problem === undefined
    ? { central, alias, metastore: chain.target.metastore, notebook, revision }
    : failed(problem);
}

async function localRoom(tx: Tx, workspaceId: string, name: string): Promise<Chain | undefined> {
  const id = (await tx.get(metastoreAssignments, workspaceId, 'none'))?.value.metastore;
  const metastore = id === undefined || id === null ? undefined : await byId(tx, id);
  if (!metastore) return undefined;
  const target = (await tx.get(securables, securableKey(metastore.id, 'clean_room', name), 'none'))?.value;
  return target && { target, above: [metastore] };
}

interface Asked {
  readonly alias: string;
  readonly notebook: string;
  readonly revision: Revision;
  readonly etag: string | undefined;
}

async function refusalReason(
  { tx }: RunChange,
  central: CentralRoom,
  { alias, notebook, revision, etag }: Asked,
): Promise<string | undefined> {
  if (etag !== undefined && etag !== '' && etag !== revision.etag)
    return `The etag '${etag.slice(0, 100)}' does not match the current version of the notebook '${notebook}'.`;
  if (!revision.runners.includes(alias))
    return `The collaborator '${alias}' may not run the notebook '${notebook}'; the permitted runners are ${revision.runners.join(', ')}.`;
  if (mayRun(central, revision, await rulesOf(tx, central.id), alias)) return undefined;
  return `The notebook '${notebook}' is not approved: its review state is ${reviewStateOf(central, revision)}.`;
}

/** Serialises the start of waiting and the freeing of a slot, so that neither misses the other. */
export const lockQueue = (tx: Tx, room: string): Promise<void> => tx.lock(`platform.clean-room-queue:${room}`);

/** Whether no other task has waited longer. */
async function isNext(tx: Tx, room: string, key: string): Promise<boolean> {
  const first = await firstWaiting(tx, room);
  return first === undefined || first.key === key;
}

const firstWaiting = async (tx: Tx, room: string) =>
  (await tx.query(roomRuns, { filter: eq('queuedIn', room), order: [{ field: 'createdAt' }], limit: 1 })).items[0];

const takeSlot = async (tx: Tx, { limits }: PlatformJar, room: string): Promise<boolean> =>
  (await limits.takeQuota(tx, { limit: SLOTS, scope: [room], count: 1 })).allowed;

export const freeSlot = (tx: Tx, { limits }: PlatformJar, room: string): Promise<void> =>
  limits.freeQuota(tx, { limit: SLOTS, scope: [room], count: 1 });

/** Wakes the task that has waited longest. */
export async function wakeNext(tx: Tx, { clock }: PlatformJar, room: string): Promise<void> {
  const first = (await firstWaiting(tx, room))?.value;
  if (first) await tx.wake(taskDue(runKey(first.workspaceId, first.taskId), clock.now(), first.runId));
}
