import type { Answer } from '../../../kernel/http/index.ts';
import type { PlatformCall } from '../jar.ts';
import { downloadAnswer } from '../tracking/artifacts/download.ts';
import { artifactNames, findArtifact } from '../tracking/artifacts/files.ts';
import { pathIn, rootOf } from '../tracking/artifacts/of-runs.ts';
import { ARTIFACT_ROOT } from '../tracking/experiments/create.ts';
import { findExperiment } from '../tracking/experiments/find.ts';
import { modelRoot } from '../tracking/models/collections.ts';
import { findModel } from '../tracking/models/find.ts';
import { Request } from '../tracking/request.ts';
import { findRun } from '../tracking/runs/find.ts';
import type { ModelVersion } from './collections.ts';
import { findVersion } from './find.ts';
import { versionIn } from './names.ts';

/** `model-versions/get-artifact`: a file of a version, if its files are artifacts of experiments of the jar. */
export async function getVersionFile(call: PlatformCall): Promise<Answer> {
  const { store } = call.jar;
  const request = Request.of(call);
  const { version } = await findVersion(call, request.need('name'), versionIn(request), 'CAN_READ');
  const path = pathIn(request);
  const names = artifactNames(path);
  const root = await rootOfVersion(call, version);
  return downloadAnswer(store, root && (await findArtifact(store, version.workspaceId, [...root, ...names])), path);
}

/** Prefixes of locations whose remainder is a path in the artifact tree. */
const IN_TREE = [`${ARTIFACT_ROOT}/`, 'mlflow-artifacts:/'];

/**
 * The directory of a version's files in the artifact tree; undefined if they are elsewhere. The caller needs the permissions of the
 * experiment that owns the files, since any location can be named as the source of a version.
 */
async function rootOfVersion(
  call: PlatformCall,
  { location, runId }: ModelVersion,
): Promise<readonly string[] | undefined> {
  const { store } = call.jar;
  const behind = (start: string): string | undefined =>
    location.startsWith(start) ? location.slice(start.length) : undefined;
  const loggedModel = behind('models:/');
  if (loggedModel !== undefined) {
    const { model } = await findModel(store, call, loggedModel, 'CAN_READ');
    return [...modelRoot(model), 'artifacts'];
  }
  const ofRun = behind('runs:/');
  if (ofRun !== undefined) {
    const [id = '', ...names] = artifactNames(ofRun);
    return [...rootOf((await findRun(store, call, id, 'CAN_READ')).run), ...names];
  }
  const inTree = IN_TREE.map(behind).find((rest) => rest !== undefined);
  if (inTree !== undefined) {
    const names = artifactNames(inTree);
    await findExperiment(store, call, { id: names[0] ?? '', level: 'CAN_READ' });
    return names;
  }
  if (runId === undefined) return undefined;
  const { run } = await findRun(store, call, runId, 'CAN_READ');
  const rest = behind(`${run.artifactUri}/`);
  return rest === undefined ? undefined : [...rootOf(run), ...artifactNames(rest)];
}
