import { numericId } from '../../../../kernel/ids/index.ts';
import { allOf, eq, type Reader, type Tx } from '../../../../kernel/store/index.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../../jar.ts';
import { checkBound } from '../../limits/take.ts';
import { creatorAcl, type Guarded, requireLevel } from '../../permissions/guard.ts';
import { follow, isDirectory } from '../../tree/nodes.ts';
import { pathOf } from '../../tree/paths.ts';
import { guardedOf } from '../../workspace/guarded.ts';
import { ensureHome, treeOf, workspaceNames } from '../../workspace/places.ts';
import { type Experiment, experimentKey, experiments } from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { checkLength, LONGEST_EXPERIMENT_NAME, LONGEST_LOCATION } from '../names.ts';
import { Request } from '../request.ts';
import { recordExperiment } from './change.ts';
import { putExperimentTags, readExperimentTag } from './tags.ts';

/** Root of the artifacts of experiments without a location of their own. */
export const ARTIFACT_ROOT = 'dbfs:/databricks/mlflow-tracking';

/** `experiments/create`. Returns the id. */
export async function createExperiment(call: PlatformCall): Promise<string> {
  const { jar } = call;
  const request = Request.of(call);
  const names = readExperimentName(request, 'name');
  const location = readLocation(request);
  const tags = request.list('tags').map(readExperimentTag);
  await ensureHome(call);
  const { principal } = callerIdentity(call);
  return jar.store.transact(async (tx) => {
    const name = pathOf(names);
    const folderReaders = await reserveName(tx, call, names);
    const id = numericId();
    const now = jar.clock.now();
    const experiment: Experiment = {
      workspaceId: workspaceIn(call).id,
      id,
      name,
      artifactLocation: location ?? `${ARTIFACT_ROOT}/${id}`,
      stage: 'active',
      creator: principal.id,
      acl: creatorAcl(call, 'experiments'),
      createdAt: now,
      updatedAt: now,
      folderReaders,
    };
    await tx.put(experiments, experimentKey(experiment.workspaceId, id), experiment, { ifNoneMatch: '*' });
    const owner = {
      'mlflow.ownerId': principal.id,
      'mlflow.ownerEmail': principal.userName ?? principal.applicationId,
    };
    const own = {
      'mlflow.experiment.sourceName': name,
      ...owner,
      'mlflow.experimentType': 'MLFLOW_EXPERIMENT',
    };
    const sent = new Set(tags.map((tag) => tag.name));
    const added = Object.entries(own).filter(([tag, value]) => value !== undefined && !sent.has(tag));
    await putExperimentTags(tx, jar, experiment, [
      ...tags,
      ...added.map(([tag, value]) => ({ name: tag, value: `${value}` })),
    ]);
    await recordExperiment(tx, jar, 'create', experiment);
    return id;
  });
}

/** The names on the path of an experiment. */
export function readExperimentName(request: Request, field: string): readonly string[] {
  const name = request.need(field);
  checkLength(name, field, LONGEST_EXPERIMENT_NAME);
  if (!name.startsWith('/'))
    throw trackingErrors.INVALID_PARAMETER_VALUE({
      reason: `Got an invalid experiment name '${name}'. An experiment name must be an absolute path within the workspace, e.g. '/Users/<some-username>/my-experiment'.`,
    });
  const names = workspaceNames(name, field);
  if (names.length === 0) throw request.invalid(field, name, 'An experiment must have a name within its folder.');
  return names;
}

function readLocation(request: Request): string | undefined {
  const location = request.text('artifact_location');
  if (location === undefined || location === '') return undefined;
  checkLength(location, 'artifact_location', LONGEST_LOCATION);
  // Runs can be ordered by artifact location, and an index row has a maximum length.
  if (Buffer.byteLength(location) > LONGEST_LOCATION)
    throw request.invalid('artifact_location', location, `It must be at most ${LONGEST_LOCATION} bytes of UTF-8.`);
  if (location.startsWith('runs:') || /[#?]/.test(location))
    throw request.invalid('artifact_location', location, 'It must be the URL of a store, without query and fragment.');
  let end = location.length;
  while (end > 1 && location[end - 1] === '/') end--;
  return location.slice(0, end);
}

/**
 * Called in a transaction that gives this name to an experiment: locks the name, checks that it is free and that the caller may edit the
 * content of its folder. Returns the principals that may read the experiment through its folders.
 */
export async function reserveName(tx: Tx, call: PlatformCall, names: readonly string[]): Promise<readonly string[]> {
  const { id: workspaceId } = workspaceIn(call);
  const name = pathOf(names);
  checkBound(call.jar, 'object-name-length', [workspaceId], [...(names.at(-1) as string)].length);
  await tx.lock(`platform.experiment:${workspaceId}${name}`);
  const guarded = await guardedFolder(tx, call, names.slice(0, -1));
  requireLevel(call, guarded, 'CAN_EDIT');
  if (await experimentNamed(tx, workspaceId, name)) throw trackingErrors.RESOURCE_ALREADY_EXISTS__Experiment({ name });
  return readersAbove(guarded);
}

async function guardedFolder(tx: Tx, call: PlatformCall, names: readonly string[]): Promise<Guarded> {
  const { nodes, missing } = await follow(tx, treeOf(call), names);
  const last = nodes.at(-1);
  if (missing.length > 0 || (last && !isDirectory(last)))
    throw trackingErrors.RESOURCE_DOES_NOT_EXIST__Folder({ path: pathOf(names) });
  return guardedOf(nodes);
}

export const readersAbove = ({ acl, parents = [] }: Guarded): readonly string[] => [
  ...new Set([acl, ...parents.map((parent) => parent.acl)].flat().map(({ principal }) => principal)),
];

/** Includes deleted experiments, which keep their names. */
export async function experimentNamed(
  reader: Reader,
  workspaceId: string,
  name: string,
): Promise<Experiment | undefined> {
  const filter = allOf(eq('workspace', workspaceId), eq('name', name));
  const { items } = await reader.query(experiments, { filter, limit: 1 });
  return items[0]?.value;
}
