import { uuid } from '../../../../kernel/ids/index.ts';
import { callerIdentity, type PlatformCall } from '../../jar.ts';
import { takeCount } from '../../limits/take.ts';
import { runKey, trackedRuns } from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { findActiveExperiment } from '../experiments/find.ts';
import { checkLength, LONGEST_NAME } from '../names.ts';
import { Request } from '../request.ts';
import { generatedName } from '../runs/generated-name.ts';
import { recordModel } from './change.ts';
import { type LoggedModel, loggedModels, modelKey } from './collections.ts';
import { modelErrors } from './errors.ts';
import { addModelParams, putModelTags, readParams, readTags } from './texts.ts';

const FORBIDDEN = /[/:.%"']/;
const LONGEST_TYPE = 500;
const LONGEST_RUN_ID = 256;

/** `POST logged-models`. The model is pending until its files are uploaded and it is finalized. */
export function createModel(call: PlatformCall): Promise<LoggedModel> {
  const { jar } = call;
  const request = Request.ofBody(call.body);
  const experimentId = request.need('experiment_id');
  const name = readName(request);
  const modelType = request.text('model_type') || undefined;
  checkLength(modelType ?? '', 'model_type', LONGEST_TYPE);
  const sourceRunId = request.text('source_run_id') || undefined;
  checkLength(sourceRunId ?? '', 'source_run_id', LONGEST_RUN_ID);
  const params = readParams(request);
  const tags = readTags(request);
  return jar.store.transact(async (tx) => {
    const experiment = await findActiveExperiment(tx, call, { id: experimentId, level: 'CAN_EDIT', lock: 'share' });
    const { workspaceId } = experiment;
    if (sourceRunId !== undefined) {
      const run = (await tx.get(trackedRuns, runKey(workspaceId, sourceRunId), 'share'))?.value;
      if (run?.experimentId !== experimentId) throw trackingErrors.RESOURCE_DOES_NOT_EXIST__Run({ id: sourceRunId });
    }
    const digits = uuid().replaceAll('-', '');
    const id = `m-${digits}`;
    const now = jar.clock.now();
    const model: LoggedModel = {
      workspaceId,
      experimentId,
      id,
      name: name ?? generatedName(digits),
      ...(modelType !== undefined && { modelType }),
      ...(sourceRunId !== undefined && { sourceRunId }),
      status: 'LOGGED_MODEL_PENDING',
      creator: callerIdentity(call).principal.id,
      artifactUri: `${experiment.artifactLocation}/models/${id}/artifacts`,
      createdAt: now,
      updatedAt: now,
      stage: 'active',
    };
    await takeCount(tx, jar, { row: 'logged-models', scope: [workspaceId, experimentId] });
    await tx.put(loggedModels, modelKey(workspaceId, id), model, { ifNoneMatch: '*' });
    await addModelParams(tx, jar, model, params);
    await putModelTags(tx, jar, model, tags);
    await recordModel(tx, jar, 'create', model);
    return model;
  });
}

/** Undefined if the request has no name: one is generated. */
function readName(request: Request): string | undefined {
  const name = request.text('name');
  if (name === undefined) return undefined;
  checkLength(name, 'name', LONGEST_NAME);
  if (name === '' || FORBIDDEN.test(name)) throw modelErrors.INVALID_PARAMETER_VALUE__ModelName({ name });
  return name;
}
