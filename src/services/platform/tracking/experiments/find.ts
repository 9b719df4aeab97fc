import type { Reader, ReadLock } from '../../../../kernel/store/index.ts';
import { type PlatformCall, workspaceIn } from '../../jar.ts';
import { allows, type Guarded, requireLevel } from '../../permissions/guard.ts';
import { follow } from '../../tree/nodes.ts';
import { namesOn } from '../../tree/paths.ts';
import { guardedOf } from '../../workspace/guarded.ts';
import { treeOfWorkspace } from '../../workspace/places.ts';
import { type Experiment, experimentKey, experiments } from '../collections.ts';
import { trackingErrors } from '../errors.ts';

export type Level = 'CAN_READ' | 'CAN_EDIT' | 'CAN_MANAGE';

const LONGEST_ID = 64;

/** A longer text is not an id; messages truncate it. */
export const shownId = (id: string): string => id.slice(0, LONGEST_ID);

const own = ({ id, acl }: Experiment): Guarded => ({ type: 'experiments', id, acl });

/** The experiment with its parent folders, whose permissions it inherits. A deleted folder grants nothing. */
export async function guardedExperiment(reader: Reader, experiment: Experiment): Promise<Guarded> {
  const folders = namesOn(experiment.name, 'name').slice(0, -1);
  const { nodes } = await follow(reader, treeOfWorkspace(experiment.workspaceId), folders);
  const above = guardedOf(nodes);
  return { ...own(experiment), parents: [above, ...(above.parents ?? [])] };
}

/** Throws if the caller has less than this level. Folders are read only if the direct permissions are not sufficient. */
export async function requireExperiment(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  experiment: Experiment,
  level: Level,
): Promise<void> {
  if (allows(call, own(experiment), level)) return;
  requireLevel(call, await guardedExperiment(reader, experiment), level);
}

interface Wanted {
  readonly id: string;
  readonly level: Level;
  readonly lock?: ReadLock;
}

/** An experiment of the caller's workspace on which the caller has a level; undefined if it does not exist. */
export async function lookUpExperiment(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  { id, level, lock }: Wanted,
): Promise<Experiment | undefined> {
  if (id.length > LONGEST_ID) return undefined;
  const found = (await reader.get(experiments, experimentKey(workspaceIn(call).id, id), lock))?.value;
  if (!found || found.stage === 'purged') return undefined;
  await requireExperiment(reader, call, found, level);
  return found;
}

/** For operations on experiments, including deleted ones. */
export async function findExperiment(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  wanted: Wanted,
): Promise<Experiment> {
  const found = await lookUpExperiment(reader, call, wanted);
  if (!found) throw trackingErrors.RESOURCE_DOES_NOT_EXIST__Node({ id: shownId(wanted.id) });
  return found;
}

/** For operations within an experiment, which must be active. */
export async function findActiveExperiment(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  wanted: Wanted,
): Promise<Experiment> {
  const found = await lookUpExperiment(reader, call, wanted);
  if (!found) throw trackingErrors.RESOURCE_DOES_NOT_EXIST__Experiment({ id: shownId(wanted.id) });
  checkActive(found);
  return found;
}

export function checkActive({ id, stage }: Experiment): void {
  if (stage !== 'active') throw trackingErrors.INVALID_PARAMETER_VALUE__ExperimentDeleted({ id });
}
