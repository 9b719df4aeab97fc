import { allOf, eq } from '../../../kernel/store/index.ts';
import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { pageSize, readPage } from '../engine/paging.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, workspaceIn } from '../jar.ts';
import { type RoomRun, roomRuns } from './collections.ts';
import { type ActiveRoom, seeActive } from './find.ts';
import { runState } from './run-state.ts';

/** A run as seen by a collaborator: job and output are hidden from other metastores, and the workspace is hidden from other workspaces. */
function runView(call: PlatformCall, { chain }: ActiveRoom, run: RoomRun): JsonMembers {
  const isOwn = run.metastore === chain.target.metastore;
  const isHere = isOwn && run.workspaceId === workspaceIn(call).id;
  const { startedAt, endedAt, output } = run;
  return omitAbsent({
    notebook_name: run.notebook,
    notebook_etag: run.etag,
    notebook_updated_at: run.notebookUpdatedAt,
    notebook_job_run_state: runState(run),
    collaborator_job_run_info: omitAbsent({
      collaborator_alias: run.alias,
      collaborator_workspace_id: isOwn ? Number(run.workspaceId) : undefined,
      collaborator_job_id: isHere && run.jobId !== undefined ? Number(run.jobId) : undefined,
      collaborator_job_run_id: isHere ? Number(run.runId) : undefined,
      collaborator_task_run_id: isHere ? Number(run.taskId) : undefined,
    }),
    start_time: startedAt ?? run.createdAt,
    run_duration: startedAt === undefined ? 0 : (endedAt ?? call.jar.clock.now()) - startedAt,
    output_schema_name: isOwn ? output?.schema : undefined,
    output_schema_expiration_time: isOwn ? output?.expiresAt : undefined,
  });
}

/** Runs of notebooks, the newest first. */
export async function listRuns(call: PlatformCall, name: string): Promise<JsonMembers> {
  const room = await seeActive(call, name);
  const { notebook_name: notebook } = call.query;
  const asked = typeof notebook === 'string' && notebook !== '' ? notebook : undefined;
  const { items, next } = await readPage(call, {
    collection: roomRuns,
    query: {
      filter: allOf(eq('room', room.central.id), asked === undefined ? undefined : eq('notebook', asked)),
      order: [{ field: 'createdAt', descending: true }],
    },
    size: pageSize(call.query),
  });
  return {
    runs: items.map(({ value }) => runView(call, room, value)),
    ...(next !== undefined && { next_page_token: next }),
  };
}

/** Runs by task type. Jobs do not run analyses of JARs, so there are none of these. */
export async function listTaskRuns(call: PlatformCall, name: string): Promise<JsonMembers> {
  const { task_type: type } = call.query;
  if (type === 'JAR') {
    await seeActive(call, name);
    return { runs: [] };
  }
  if (type !== undefined && type !== '' && type !== 'NOTEBOOK') {
    await seeActive(call, name);
    throw errors.INVALID_PARAMETER_VALUE({ reason: "The parameter 'task_type' must be one of NOTEBOOK, JAR." });
  }
  return listRuns(call, name);
}
