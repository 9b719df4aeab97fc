import { type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import type { PlatformCall } from '../jar.ts';
import type { TaskOutput, TaskRun } from '../jobs/task-run.ts';
import { roomRunKey, roomRuns } from './collections.ts';
import { runState } from './run-state.ts';

/** `clean_rooms_notebook_output` of `runs/get-output`: the end of the run, the notebook's result and the location of its tables. */
export async function cleanRoomsOutput(
  { jar }: PlatformCall,
  task: TaskRun,
  output: TaskOutput | undefined,
): Promise<JsonMembers> {
  const key = task.cleanRoom === undefined ? undefined : roomRunKey(task.cleanRoom, task.workspaceId, task.id);
  const made = key === undefined ? undefined : (await jar.store.get(roomRuns, key))?.value.output;
  return omitAbsent({
    clean_room_job_run_state: runState(task),
    notebook_output: omitAbsent({ result: output?.result, truncated: output?.isResultTruncated === true }),
    output_schema_info: made && {
      catalog_name: made.catalog,
      schema_name: made.schema,
      expiration_time: made.expiresAt,
    },
  });
}
