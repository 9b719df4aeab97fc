import { ok } from '../../../kernel/http/index.ts';
import { type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { done } from '../tracking/row.ts';
import { deleteAlias, setAlias, versionByAlias } from './aliases.ts';
import { createComment, deleteComment, listActivities, updateComment } from './comments.ts';
import { getVersionFile } from './files.ts';
import {
  createModel,
  deleteModel,
  getModel,
  getModelDatabricks,
  latestVersions,
  renameModel,
  updateModel,
} from './models.ts';
import { approveRequest, createRequest, deleteRequest, listRequests, rejectRequest } from './requests.ts';
import { searchModels, searchVersions } from './search.ts';
import { deleteModelTag, deleteVersionTag, setModelTag, setVersionTag } from './tags.ts';
import { databricksVersionView, transitionStage, versionViewFor } from './transition.ts';
import { createVersion, deleteVersion, downloadUri, getVersion, updateVersion } from './versions.ts';
import { WEBHOOK_OPERATIONS } from './webhooks/operations.ts';

type Handle = (call: PlatformCall) => Promise<object>;

/** One row, served below `/mlflow` and below `/ml`, the path in the table of rate limits. */
function row(
  method: Operation['method'],
  path: string,
  operation: string,
  summary: string,
  handle: Handle,
  {
    rated = `/ml/${path}`,
    bare = [`/ml/${path}`],
  }: { readonly rated?: string; readonly bare?: readonly string[] } = {},
): Operation {
  return {
    method,
    path: `/mlflow/${path}`,
    operation,
    summary,
    rated,
    bare: [...bare, `/ajax-api/2.0/mlflow/${path}`],
    code: routeCode([], { handle: async (call) => ok(await handle(call)) }),
  };
}

/** A response with one member. */
const as =
  <T>(name: string, handle: (call: PlatformCall) => Promise<T>): Handle =>
  async (call) => ({ [name]: await handle(call) });

/** A list that is omitted if it is empty. */
const listed =
  (name: string, handle: (call: PlatformCall) => Promise<readonly object[]>): Handle =>
  async (call) => {
    const items = await handle(call);
    return items.length === 0 ? {} : { [name]: items };
  };

const MODELS = 'registered-models';
const VERSIONS = 'model-versions';

const MODEL_OPERATIONS: readonly Operation[] = [
  row(
    'POST',
    `${MODELS}/create`,
    'registeredModels_create',
    'Creates a registered model',
    as('registered_model', createModel),
  ),
  row('GET', `${MODELS}/get`, 'registeredModels_get', 'Reads a registered model', as('registered_model', getModel)),
  row(
    'GET',
    `databricks/${MODELS}/get`,
    'registeredModels_getDatabricks',
    'Reads a registered model with its id and the permission level of the caller',
    as('registered_model_databricks', getModelDatabricks),
    { rated: `/ml/${MODELS}/get`, bare: [] },
  ),
  row(
    'PATCH',
    `${MODELS}/update`,
    'registeredModels_update',
    'Changes the description of a registered model',
    as('registered_model', updateModel),
  ),
  row(
    'POST',
    `${MODELS}/rename`,
    'registeredModels_rename',
    'Renames a registered model',
    as('registered_model', renameModel),
  ),
  row(
    'DELETE',
    `${MODELS}/delete`,
    'registeredModels_delete',
    'Deletes a registered model with its versions',
    done(deleteModel),
  ),
  row('GET', `${MODELS}/list`, 'registeredModels_list', 'Lists registered models', (call) => searchModels(call, true)),
  row('GET', `${MODELS}/search`, 'registeredModels_search', 'Searches registered models', (call) => searchModels(call)),
  row(
    'POST',
    `${MODELS}/get-latest-versions`,
    'registeredModels_latestVersions',
    'Lists the newest version of each stage',
    listed('model_versions', latestVersions),
  ),
  row(
    'GET',
    `${MODELS}/get-latest-versions`,
    'registeredModels_getLatestVersions',
    'Lists the newest version of each stage',
    listed('model_versions', latestVersions),
  ),
  row('POST', `${MODELS}/set-tag`, 'registeredModels_setTag', 'Sets a tag of a registered model', done(setModelTag)),
  row(
    'DELETE',
    `${MODELS}/delete-tag`,
    'registeredModels_deleteTag',
    'Deletes a tag of a registered model',
    done(deleteModelTag),
  ),
  row('POST', `${MODELS}/alias`, 'registeredModels_setAlias', 'Gives an alias to a version', done(setAlias)),
  row(
    'GET',
    `${MODELS}/alias`,
    'registeredModels_getByAlias',
    'Reads the version that has an alias',
    as('model_version', versionByAlias),
  ),
  row('DELETE', `${MODELS}/alias`, 'registeredModels_deleteAlias', 'Deletes an alias', done(deleteAlias)),
];

const VERSION_OPERATIONS: readonly Operation[] = [
  row(
    'POST',
    `${VERSIONS}/create`,
    'modelVersions_create',
    'Creates a version of a registered model',
    as('model_version', createVersion),
  ),
  row('GET', `${VERSIONS}/get`, 'modelVersions_get', 'Reads a version', as('model_version', getVersion)),
  row(
    'PATCH',
    `${VERSIONS}/update`,
    'modelVersions_update',
    'Changes the description of a version',
    as('model_version', updateVersion),
  ),
  row('DELETE', `${VERSIONS}/delete`, 'modelVersions_delete', 'Deletes a version', done(deleteVersion)),
  row('GET', `${VERSIONS}/search`, 'modelVersions_search', 'Searches versions', searchVersions),
  row(
    'GET',
    `${VERSIONS}/get-download-uri`,
    'modelVersions_downloadUri',
    'Reads the location of the files of a version',
    as('artifact_uri', downloadUri),
  ),
  {
    method: 'GET',
    path: `/mlflow/${VERSIONS}/get-artifact`,
    bare: [`/${VERSIONS}/get-artifact`, `/ajax-api/2.0/mlflow/${VERSIONS}/get-artifact`],
    operation: 'modelVersions_getArtifact',
    summary: 'Reads a file of a version',
    produces: 'application/octet-stream',
    code: routeCode([], { handle: (call) => getVersionFile(call) }),
  },
  row('POST', `${VERSIONS}/set-tag`, 'modelVersions_setTag', 'Sets a tag of a version', done(setVersionTag)),
  row(
    'DELETE',
    `${VERSIONS}/delete-tag`,
    'modelVersions_deleteTag',
    'Deletes a tag of a version',
    done(deleteVersionTag),
  ),
  row(
    'POST',
    `${VERSIONS}/transition-stage`,
    'modelVersions_transitionStage',
    'Moves a version to a stage',
    as('model_version', async (call) => versionViewFor(call, await transitionStage(call))),
  ),
  row(
    'POST',
    `databricks/${VERSIONS}/transition-stage`,
    'modelVersions_transitionStageDatabricks',
    'Moves a version to a stage, with a comment',
    as('model_version_databricks', async (call) => databricksVersionView(call, await transitionStage(call))),
    { rated: `/ml/${VERSIONS}/transition-stage`, bare: [] },
  ),
];

/** The rate table has requests below the path of versions. */
const requestRow = (
  method: Operation['method'],
  verb: string,
  operation: string,
  summary: string,
  handle: Handle,
): Operation =>
  row(method, `transition-requests/${verb}`, operation, summary, handle, {
    rated: `/ml/${VERSIONS}/transition-requests/${verb}`,
    bare: [`/ml/${VERSIONS}/transition-requests/${verb}`, `/ml/transition-requests/${verb}`],
  });

const REQUEST_OPERATIONS: readonly Operation[] = [
  requestRow(
    'POST',
    'create',
    'transitionRequests_create',
    'Requests the transition of a version to a stage',
    as('request', createRequest),
  ),
  requestRow(
    'GET',
    'list',
    'transitionRequests_list',
    'Lists the open requests of a version',
    listed('requests', listRequests),
  ),
  requestRow(
    'POST',
    'approve',
    'transitionRequests_approve',
    'Approves a request, and performs the transition',
    as('activity', approveRequest),
  ),
  requestRow('POST', 'reject', 'transitionRequests_reject', 'Rejects a request', as('activity', rejectRequest)),
  requestRow('DELETE', 'delete', 'transitionRequests_delete', 'Cancels a request', as('activity', deleteRequest)),
];

const COMMENT_OPERATIONS: readonly Operation[] = [
  row('POST', 'comments/create', 'modelComments_create', 'Comments on a version', as('comment', createComment)),
  row('PATCH', 'comments/update', 'modelComments_update', 'Changes a comment', as('comment', updateComment)),
  row('DELETE', 'comments/delete', 'modelComments_delete', 'Deletes a comment', done(deleteComment)),
  row('GET', 'activities/list', 'modelActivities_list', 'Lists the activities of a version', listActivities),
];

export const REGISTRY_OPERATIONS: readonly Operation[] = [
  ...MODEL_OPERATIONS,
  ...VERSION_OPERATIONS,
  ...REQUEST_OPERATIONS,
  ...COMMENT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
];
