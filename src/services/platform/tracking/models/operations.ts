import type { PlatformCall } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { listBelow } from '../artifacts/of-runs.ts';
import { trackingErrors } from '../errors.ts';
import { Request } from '../request.ts';
import { done, trackingRow } from '../row.ts';
import { modelRoot } from './collections.ts';
import { createModel } from './create.ts';
import { findModel } from './find.ts';
import { deleteModel, finalizeModel } from './lifecycle.ts';
import { searchModels } from './search.ts';
import { deleteModelTag, logModelParams, setModelTags } from './texts.ts';
import { modelView, modelViews } from './view.ts';

const ONE = 'logged-models/{model_id}';

const readModel = async (call: PlatformCall) => {
  const { store } = call.jar;
  const { model } = await findModel(store, call, String(call.params.model_id), 'CAN_READ');
  return modelView(store, model);
};

/** The files of a model are stored below the artifacts of its experiment. */
async function listFiles(call: PlatformCall): Promise<object> {
  const { model } = await findModel(call.jar.store, call, String(call.params.model_id), 'CAN_READ');
  const path = new Request(call.query).text('artifact_directory_path') ?? '';
  return listBelow(call, model, [...modelRoot(model), 'artifacts'], path);
}

const MOST_AT_ONCE = 100;

async function batchGet(call: PlatformCall): Promise<object> {
  const { store } = call.jar;
  const ids = [...new Set(new Request(call.query).texts('model_ids'))];
  if (ids.length > MOST_AT_ONCE)
    throw trackingErrors.INVALID_PARAMETER_VALUE({
      reason: `At most ${MOST_AT_ONCE} model_ids can be asked for at once, got ${ids.length}.`,
    });
  const found = [];
  for (const id of ids) found.push((await findModel(store, call, id, 'CAN_READ')).model);
  return found.length === 0 ? {} : { models: await modelViews(store, found) };
}

export const MODEL_OPERATIONS: readonly Operation[] = [
  trackingRow('POST', 'logged-models', 'loggedModels_create', 'Creates a logged model', async (call) =>
    modelView(call.jar.store, await createModel(call)),
  ),
  trackingRow('POST', 'logged-models/search', 'loggedModels_search', 'Finds logged models by a filter', searchModels),
  trackingRow('GET', 'logged-models:batchGet', 'loggedModels_batchGet', 'Reads several logged models', batchGet, {
    rated: '/ml/logged-models',
    bare: ['/ml/logged-models:batchGet', '/ajax-api/2.0/mlflow/logged-models:batchGet'],
  }),
  trackingRow('GET', ONE, 'loggedModels_get', 'Reads a logged model', readModel),
  trackingRow('PATCH', ONE, 'loggedModels_finalize', 'Ends the upload of a logged model', async (call) =>
    modelView(call.jar.store, await finalizeModel(call)),
  ),
  trackingRow('DELETE', ONE, 'loggedModels_delete', 'Deletes a logged model', done(deleteModel)),
  trackingRow('PATCH', `${ONE}/tags`, 'loggedModels_setTags', 'Sets tags of a logged model', done(setModelTags)),
  trackingRow(
    'DELETE',
    `${ONE}/tags/{tag_key}`,
    'loggedModels_deleteTag',
    'Deletes a tag of a logged model',
    done(deleteModelTag),
  ),
  trackingRow(
    'POST',
    `${ONE}/params`,
    'loggedModels_logParams',
    'Logs parameters of a logged model',
    done(logModelParams),
  ),
  trackingRow(
    'GET',
    `${ONE}/artifacts/directories`,
    'loggedModels_listArtifacts',
    'Lists files of a logged model',
    listFiles,
  ),
];
