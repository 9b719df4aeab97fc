import { allOf, atLeast, atMost, eq } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { isAdminOf } from '../../access/standing.ts';
import { wholeNumber } from '../../engine/paging.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../../jar.ts';
import { readersFilter } from '../../permissions/guard.ts';
import { jobKey, jobs, runs } from '../collections.ts';
import type { Run } from '../run.ts';
import { invalid } from '../settings/rules.ts';
import { findJob } from './access.ts';
import { limitIn, readBothWays } from './lists.ts';
import { flagIn, optionalId } from './request.ts';
import { runViews } from './run-view.ts';

const SIZES = { usual: 20, most: 25, zero: 25 } as const;

const TYPES: readonly string[] = ['JOB_RUN', 'SUBMIT_RUN', 'WORKFLOW_RUN'];

/** Active runs come first, ordered by their start; then ended runs, ordered by their end. Newest first. */
export async function listRuns(call: PlatformCall): Promise<JsonMembers> {
  const { query } = call;
  const activeOnly = flagIn(query, 'active_only');
  const completedOnly = flagIn(query, 'completed_only');
  if (activeOnly && completedOnly) throw invalid('active_only and completed_only cannot both be true.');
  const states = activeOnly ? [false] : completedOnly ? [true] : [false, true];
  const { id: workspace } = workspaceIn(call);
  const job = optionalId(query, 'job_id');
  const place = job === undefined ? eq('workspace', workspace) : eq('job', jobKey(workspace, job));
  const from = wholeNumber(query, 'start_time_from');
  const to = wholeNumber(query, 'start_time_to');
  const { run_type: type } = query;
  if (type !== undefined && type !== '' && !TYPES.includes(String(type)))
    throw invalid(`The parameter 'run_type' must be one of: ${TYPES.join(',')}.`);
  const { items, next, previous } = await readBothWays<Run>(call, {
    collection: runs,
    segments: states.map((ended) => allOf(place, eq('ended', ended))),
    filter: allOf(
      from === undefined ? undefined : atLeast('startTime', from),
      to === undefined ? undefined : atMost('startTime', to),
      type === undefined || type === '' ? undefined : eq('type', String(type)),
      await visible(call, job),
    ),
    order: 'listedAt',
    of: ({ endedAt, startedAt, createdAt }) => endedAt ?? startedAt ?? createdAt,
    size: limitIn(wholeNumber(query, 'limit'), SIZES),
    skip: Math.max(0, wholeNumber(query, 'offset') ?? 0),
  });
  const views = await runViews(call, items, flagIn(query, 'expand_tasks'));
  return {
    ...(views.length > 0 && { runs: views }),
    has_more: next !== undefined,
    ...(next !== undefined && { next_page_token: next }),
    ...(previous !== undefined && { prev_page_token: previous }),
  };
}

/** A caller who may view a job sees all of its runs. Otherwise runs that the caller has no permission on are left out. */
async function visible(call: PlatformCall, job: string | undefined) {
  if (job === undefined || isAdminOf(callerIdentity(call), workspaceIn(call))) return readersFilter(call);
  const found = await call.jar.store.get(jobs, jobKey(workspaceIn(call).id, job));
  // Runs of a deleted job keep the last permissions of the job.
  if (!found) return readersFilter(call);
  await findJob(call, job, 'view');
  return undefined;
}
