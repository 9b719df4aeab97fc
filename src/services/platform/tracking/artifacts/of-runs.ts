import type { Answer } from '../../../../kernel/http/index.ts';
import { isStream } from '../../blobs/body.ts';
import { type Content, discard, stage } from '../../blobs/staged.ts';
import { readPage } from '../../engine/paging.ts';
import { callerIdentity, type PlatformCall } from '../../jar.ts';
import { nodeKey, treeNodes } from '../../tree/collections.ts';
import { childrenKeyOf, isDirectory } from '../../tree/nodes.ts';
import type { TrackedRun } from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { Request } from '../request.ts';
import { recordRun } from '../runs/change.ts';
import { findRun, lockActiveRun, runIdIn } from '../runs/find.ts';
import { downloadAnswer } from './download.ts';
import { artifactNames, artifactTree, findArtifact, writeArtifact } from './files.ts';

/** Files of a run, by the run id and a path below its artifacts. */

export const rootOf = ({ experimentId, id }: TrackedRun): readonly string[] => [experimentId, id, 'artifacts'];

const PAGE = 1000;

/** `artifacts/list`. The list is empty if the path is a file or does not exist. */
export async function listArtifacts(call: PlatformCall) {
  const { store } = call.jar;
  const request = Request.of(call);
  const { run } = await findRun(store, call, runIdIn(request), 'CAN_READ');
  return listBelow(call, run, rootOf(run), request.text('path') ?? '');
}

/** The files in a directory below the artifact root of a run or a logged model. */
export async function listBelow(
  call: PlatformCall,
  { workspaceId, artifactUri }: Pick<TrackedRun, 'workspaceId' | 'artifactUri'>,
  rootNames: readonly string[],
  path: string,
) {
  const names = artifactNames(path);
  const directory = await findArtifact(call.jar.store, workspaceId, [...rootNames, ...names]);
  const root = { root_uri: artifactUri };
  if (!directory || !isDirectory(directory)) return root;
  const prefix = nodeKey(artifactTree(workspaceId), childrenKeyOf(directory), '');
  const { items, next } = await readPage(call, { collection: treeNodes, query: { prefix }, size: PAGE });
  const files = items.map(({ value }) => ({
    path: [...names, value.name].join('/'),
    is_dir: isDirectory(value),
    ...(!isDirectory(value) && { file_size: value.size ?? 0 }),
  }));
  return { ...root, ...(files.length > 0 && { files }), ...(next !== undefined && { next_page_token: next }) };
}

export function pathIn(request: Request): string {
  const path = request.text('path');
  if (!path) throw trackingErrors.INVALID_PARAMETER_VALUE({ reason: 'Request must specify path.' });
  return path;
}

/** `get-artifact`: the bytes of a file. */
export async function getArtifact(call: PlatformCall): Promise<Answer> {
  const { store } = call.jar;
  const request = Request.of(call);
  const { run } = await findRun(store, call, runIdIn(request), 'CAN_READ');
  const path = pathIn(request);
  const node = await findArtifact(store, run.workspaceId, [...rootOf(run), ...artifactNames(path)]);
  return downloadAnswer(store, node, path);
}

const MOST_UPLOADED = 10 * 1024 * 1024;

/** `upload-artifact`: the body is the file. */
export async function uploadArtifact(call: PlatformCall): Promise<void> {
  const { jar, body } = call;
  const request = new Request(call.query);
  const id = runIdIn(request);
  const names = artifactNames(pathIn(request));
  const { run } = await findRun(jar.store, call, id, 'CAN_EDIT');
  if (!isStream(body)) throw trackingErrors.INVALID_PARAMETER_VALUE({ reason: 'Request must specify data.' });
  const counted = (size: number): void => {
    if (size > MOST_UPLOADED)
      throw trackingErrors.INVALID_PARAMETER_VALUE({ reason: 'Artifact size is too large. Max size is 10MB.' });
  };
  const content = await stage(jar, body, counted);
  if ('bytes' in content && content.bytes.length === 0)
    throw trackingErrors.INVALID_PARAMETER_VALUE({ reason: 'Request must specify data.' });
  await takeFile(call, content, async (tx) => {
    const found = await lockActiveRun(tx, call, run.id);
    await writeArtifact(tx, jar, { ...ownerOf(call, found.run), names: [...rootOf(found.run), ...names] }, content);
    await recordRun(tx, jar, 'upload-artifact', found.run);
  });
}

const ownerOf = (call: PlatformCall, { workspaceId }: TrackedRun) => ({
  workspaceId,
  createdBy: callerIdentity(call).principal.id,
});

type Transaction = Parameters<PlatformCall['jar']['store']['transact']>[0];

/** Runs the transaction that stores an uploaded file, and discards the upload if it fails. */
export async function takeFile({ jar }: PlatformCall, content: Content, body: Transaction): Promise<void> {
  try {
    await jar.store.transact(body);
  } catch (error) {
    await discard(jar, content);
    throw error;
  }
}
