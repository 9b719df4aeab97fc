import type { Answer } from '../../../../kernel/http/index.ts';
import { errorTable } from '../../../../kernel/http/index.ts';
import type { Reader, Tx } from '../../../../kernel/store/index.ts';
import { pagesOf } from '../../../../kernel/store/index.ts';
import { isStream } from '../../blobs/body.ts';
import { stage } from '../../blobs/staged.ts';
import { errors } from '../../errors.ts';
import { callerIdentity, type PlatformCall } from '../../jar.ts';
import { nodeKey, treeNodes } from '../../tree/collections.ts';
import { childrenKeyOf, isDirectory } from '../../tree/nodes.ts';
import type { Experiment } from '../collections.ts';
import { recordExperiment } from '../experiments/change.ts';
import { findActiveExperiment, type Level } from '../experiments/find.ts';
import { Request } from '../request.ts';
import { downloadAnswer } from './download.ts';
import { artifactNames, artifactTree, findArtifact, removeArtifacts, writeArtifact } from './files.ts';
import { takeFile } from './of-runs.ts';

/**
 * The path at which clients store artifacts of `mlflow-artifacts:` locations: paths begin with the id of an experiment, whose permissions
 * apply. The path of a run's artifacts is `<experiment>/<run>/artifacts`.
 */

export const proxyErrors = errorTable({
  NOT_IMPLEMENTED: [
    501,
    'Multipart uploads are not supported by this artifact store. Upload the file with one PUT request.',
  ],
});

const findPlace = (reader: Reader, call: PlatformCall, names: readonly string[], level: Level): Promise<Experiment> =>
  findActiveExperiment(reader, call, { id: names[0] ?? '', level });

/** The path after the prefix. */
function namesIn(path: string): readonly string[] {
  const names = artifactNames(path);
  if (names.length === 0) throw errors.INVALID_PARAMETER_VALUE({ reason: 'Invalid path: it is empty' });
  return names;
}

export async function putArtifact(call: PlatformCall, path: string): Promise<void> {
  const { jar, body } = call;
  const names = namesIn(path);
  // Checks the permission before any byte of the body is read.
  await findPlace(jar.store, call, names, 'CAN_EDIT');
  // A new file needs a name within the experiment.
  if (names.length < 2) throw errors.INVALID_PARAMETER_VALUE({ reason: `Invalid path: ${names.join('/')}` });
  const content = isStream(body) ? await stage(jar, body, () => {}) : { bytes: Buffer.alloc(0) };
  await takeFile(call, content, async (tx) => {
    const experiment = await findPlace(tx, call, names, 'CAN_EDIT');
    const { workspaceId } = experiment;
    await writeArtifact(tx, jar, { workspaceId, names, createdBy: callerIdentity(call).principal.id }, content);
    await recordExperiment(tx, jar, 'upload-artifact', experiment);
  });
}

export async function getProxied(call: PlatformCall, path: string): Promise<Answer> {
  const { store } = call.jar;
  const names = namesIn(path);
  const { workspaceId } = await findPlace(store, call, names, 'CAN_READ');
  return downloadAnswer(store, await findArtifact(store, workspaceId, names), path);
}

/** Refuses multipart uploads; clients then upload the whole file in one request. */
export async function refuseParts(call: PlatformCall, path: string): Promise<never> {
  await findPlace(call.jar.store, call, namesIn(path), 'CAN_EDIT');
  throw proxyErrors.NOT_IMPLEMENTED();
}

/** Lists have no pagination. */
const MOST_LISTED = 100_000;

/** The content of a directory: paths are names within it. */
export async function listProxied(call: PlatformCall) {
  const { store } = call.jar;
  const names = namesIn(Request.of(call).text('path') ?? '');
  const { workspaceId } = await findPlace(store, call, names, 'CAN_READ');
  const directory = await findArtifact(store, workspaceId, names);
  const files: object[] = [];
  if (!directory || !isDirectory(directory)) return { files };
  const prefix = nodeKey(artifactTree(workspaceId), childrenKeyOf(directory), '');
  for await (const page of pagesOf(store, treeNodes, { prefix })) {
    for (const { value } of page) {
      const isDir = isDirectory(value);
      files.push({ path: value.name, is_dir: isDir, ...(!isDir && { file_size: value.size ?? 0 }) });
    }
    if (files.length > MOST_LISTED)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `The directory has more than ${MOST_LISTED} entries, the maximum of one list.`,
      });
  }
  return { files };
}

export async function deleteProxied(call: PlatformCall, path: string): Promise<void> {
  const names = namesIn(path);
  await call.jar.store.transact(async (tx: Tx) => {
    const experiment = await findPlace(tx, call, names, 'CAN_EDIT');
    if (!(await removeArtifacts(tx, call.jar, experiment.workspaceId, names)))
      throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `No such artifact: '${path.slice(0, 300)}'` });
    await recordExperiment(tx, call.jar, 'delete-artifact', experiment);
  });
}
