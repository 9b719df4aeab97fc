import { knownOrigin } from '../../../../kernel/auth/index.ts';
import { type Answer, decodeSkipToken, encodeSkipToken } from '../../../../kernel/http/index.ts';
import { HOUR_MS } from '../../../../kernel/time/index.ts';
import { isStream } from '../../blobs/body.ts';
import { stage } from '../../blobs/staged.ts';
import { errors } from '../../errors.ts';
import { callerIdentity, type PlatformCall } from '../../jar.ts';
import { runKey, type TrackedRun, trackedRuns } from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { Request } from '../request.ts';
import { recordRun } from '../runs/change.ts';
import { findRun, runIdIn, stageOf } from '../runs/find.ts';
import { downloadAnswer } from './download.ts';
import { artifactNames, findArtifact, writeArtifact } from './files.ts';
import { rootOf, takeFile } from './of-runs.ts';

/**
 * Signed URLs at which files of a run are read and written without a credential, for clients that access the storage behind the platform.
 */

const ADDRESSES = 'platform.artifact-addresses';
const GOOD_FOR_MS = HOUR_MS;
const MOST_PATHS = 1000;

interface Address {
  readonly workspaceId: string;
  readonly runId: string;
  readonly names: readonly string[];
  readonly mode: 'read' | 'write';
  readonly by: string;
  readonly until: number;
}

export const SIGNED_PATH = '/mlflow-artifacts/signed';

/** `artifacts/credentials-for-read` and `-for-write`. */
export const credentialsFor = (mode: Address['mode']) => async (call: PlatformCall) => {
  const { jar } = call;
  const request = Request.of(call);
  const found = await findRun(jar.store, call, runIdIn(request), mode === 'read' ? 'CAN_READ' : 'CAN_EDIT');
  const { run } = found;
  if (mode === 'write' && stageOf(found) !== 'active')
    throw trackingErrors.INVALID_PARAMETER_VALUE__RunDeleted({ id: run.id });
  const paths = request.texts('path');
  if (paths.length === 0) throw request.missing('path');
  if (paths.length > MOST_PATHS)
    throw trackingErrors.INVALID_PARAMETER_VALUE__BatchCount({
      most: MOST_PATHS,
      entity: 'paths',
      count: paths.length,
    });
  const { workspaceId, id: runId } = run;
  const common = {
    workspaceId,
    runId,
    mode,
    by: callerIdentity(call).principal.id,
    until: jar.clock.now() + GOOD_FOR_MS,
  };
  const credential_infos = paths.map((path) => {
    const token = encodeSkipToken(jar.vault, ADDRESSES, { ...common, names: artifactNames(path) } satisfies Address);
    const signed_uri = `${knownOrigin(call)}/api/2.0${SIGNED_PATH}/${token}`;
    return { run_id: runId, path, signed_uri, headers: [], type: 'AWS_PRESIGNED_URL' };
  });
  return { credential_infos };
};

/** The run of a signed URL, if both are still valid. */
async function addressed({ jar }: PlatformCall, token: string, mode: Address['mode']) {
  const address = decodeSkipToken<Address>(jar.vault, ADDRESSES, token);
  if (!address || address.mode !== mode || address.until < jar.clock.now())
    throw errors.PERMISSION_DENIED({ reason: 'The URL has expired, or was not issued by this jar.' });
  const run = (await jar.store.get(trackedRuns, runKey(address.workspaceId, address.runId)))?.value;
  if (!run || run.stage === 'purged') throw trackingErrors.RESOURCE_DOES_NOT_EXIST__Run({ id: address.runId });
  return { address, run, names: [...rootOf(run), ...address.names] };
}

export async function readSigned(call: PlatformCall, token: string): Promise<Answer> {
  const { store } = call.jar;
  const { address, names } = await addressed(call, token, 'read');
  return downloadAnswer(store, await findArtifact(store, address.workspaceId, names), address.names.join('/'));
}

export async function writeSigned(call: PlatformCall, token: string): Promise<void> {
  const { jar, body } = call;
  const { address, run, names } = await addressed(call, token, 'write');
  const content = isStream(body) ? await stage(jar, body, () => {}) : { bytes: Buffer.alloc(0) };
  await takeFile(call, content, async (tx) => {
    const held: TrackedRun | undefined = (await tx.get(trackedRuns, runKey(run.workspaceId, run.id)))?.value;
    if (held?.stage !== 'active') throw trackingErrors.INVALID_PARAMETER_VALUE__RunDeleted({ id: run.id });
    await writeArtifact(tx, jar, { workspaceId: run.workspaceId, names, createdBy: address.by }, content);
    await recordRun(tx, jar, 'upload-artifact', held);
  });
}
