import { ok } from '../../../kernel/http/index.ts';
import { principalKey, principals } from '../accounts/collections.ts';
import { namesOf } from '../engine/names.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { clonePipeline, createPipeline, replacePipeline } from './change.ts';
import type { Pipeline } from './collections.ts';
import { findPipeline, identityOf } from './find.ts';
import { listPipelines } from './list.ts';
import { listEvents } from './list-events.ts';
import { deletePipeline, restorePipeline } from './remove.ts';
import { applyEnvironment, getUpdate, listUpdates, requestStop, requestUpdate } from './update-requests.ts';
import { pipelineView } from './view.ts';

const PATH = '/pipelines';

async function getPipeline(call: PlatformCall, id: string): Promise<object> {
  const pipeline = await findPipeline(call, id, 'CAN_VIEW');
  const people = [pipeline.creator, identityOf(pipeline)];
  const names = await namesOf(call.jar.store, pipeline.accountId, people);
  return { ...pipelineView(pipeline, names), ...(await runAsView(call, pipeline)) };
}

/** `run_as`, if the settings name a principal. */
async function runAsView({ jar }: PlatformCall, { accountId, runAs }: Pipeline): Promise<object> {
  if (runAs === undefined) return {};
  const found = (await jar.store.get(principals, principalKey(accountId, runAs)))?.value;
  if (!found) return {};
  const { kind, userName, applicationId } = found;
  return { run_as: kind === 'user' ? { user_name: userName } : { service_principal_name: applicationId } };
}

/** A boolean parameter of the query. */
function flagIn({ query }: PlatformCall, name: string, usual: boolean): boolean {
  const sent = query[name];
  if (sent === undefined || sent === '') return usual;
  if (sent !== 'true' && sent !== 'false')
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The parameter '${name}' must be true or false.` });
  return sent === 'true';
}

/** A row for an operation on one pipeline. Without a handler result the response is `{}`. */
const about = (
  head: Pick<Operation, 'method' | 'path' | 'operation' | 'summary'>,
  act: (call: PlatformCall, id: string) => Promise<unknown>,
): Operation => ({
  ...head,
  path: `${PATH}/{id}${head.path}`,
  code: routeCode(['id'], { handle: async (call) => ok((await act(call, call.params.id)) ?? {}) }),
});

export const PIPELINE_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: PATH,
    operation: 'pipelines_create',
    summary: 'Creates a pipeline, or shows its settings in a dry run',
    code: routeCode([], { handle: async (call) => ok(await createPipeline(call)) }),
  },
  {
    method: 'GET',
    path: PATH,
    operation: 'pipelines_list',
    summary: 'Lists pipelines',
    code: routeCode([], { handle: async (call) => ok(await listPipelines(call)) }),
  },
  about({ method: 'GET', path: '', operation: 'pipelines_get', summary: 'Reads a pipeline' }, getPipeline),
  about(
    { method: 'PUT', path: '', operation: 'pipelines_update', summary: 'Replaces the settings of a pipeline' },
    replacePipeline,
  ),
  about(
    { method: 'DELETE', path: '', operation: 'pipelines_delete', summary: 'Deletes a pipeline' },
    async (call, id) => {
      // `force` has no effect: deleting a pipeline never fails here.
      flagIn(call, 'force', false);
      await deletePipeline(call, id, flagIn(call, 'cascade', true));
    },
  ),
  about(
    { method: 'POST', path: '/updates', operation: 'pipelines_startUpdate', summary: 'Starts an update of a pipeline' },
    requestUpdate,
  ),
  about(
    { method: 'GET', path: '/updates', operation: 'pipelines_listUpdates', summary: 'Lists updates of a pipeline' },
    listUpdates,
  ),
  {
    method: 'GET',
    path: `${PATH}/{id}/updates/{update_id}`,
    operation: 'pipelines_getUpdate',
    summary: 'Reads an update of a pipeline',
    code: routeCode(['id', 'update_id'], {
      handle: async (call) => ok(await getUpdate(call, call.params.id, call.params.update_id)),
    }),
  },
  about(
    { method: 'POST', path: '/stop', operation: 'pipelines_stop', summary: 'Cancels the active update of a pipeline' },
    requestStop,
  ),
  about(
    { method: 'GET', path: '/events', operation: 'pipelines_listEvents', summary: 'Lists events of a pipeline' },
    listEvents,
  ),
  about(
    { method: 'POST', path: '/clone', operation: 'pipelines_clone', summary: 'Clones a pipeline into a catalog' },
    clonePipeline,
  ),
  about(
    { method: 'POST', path: '/restore', operation: 'pipelines_restore', summary: 'Restores a deleted pipeline' },
    restorePipeline,
  ),
  about(
    {
      method: 'POST',
      path: '/environment/apply',
      operation: 'pipelines_applyEnvironment',
      summary: 'Applies the environment of a pipeline',
    },
    applyEnvironment,
  ),
];
