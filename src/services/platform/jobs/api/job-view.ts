import { readAll } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { ViewContext } from '../../engine/kind.ts';
import { namesOf } from '../../engine/names.ts';
import { accountIn, type PlatformCall } from '../../jar.ts';
import { jobKey } from '../collections.ts';
import type { Job } from '../job.ts';
import { withoutTasks } from '../settings/old-form.ts';
import { arrivalKey, catalogWatches } from '../triggers/collections.ts';
import { arrayPage, cutArrays, nextArrayToken } from './arrays.ts';
import { flagIn, type Version, versionOf } from './request.ts';

const ARRAYS = ['tasks', 'job_clusters', 'environments', 'parameters'] as const;

export interface Detail {
  /** A list shows tasks and clusters only if the request sets `expand_tasks`. */
  readonly expanded: boolean;
}

const peopleOf = (found: readonly Job[]): readonly string[] =>
  found.flatMap(({ createdBy, runAs }) => [createdBy, runAs]);

function head({ id, createdBy, runAs, createdAt, settings }: Job, { nameOf }: ViewContext) {
  return {
    job_id: Number(id),
    creator_user_name: nameOf(createdBy),
    run_as_user_name: nameOf(runAs),
    run_as_owner: runAs === createdBy,
    created_time: createdAt,
    ...(settings.budget_policy_id !== undefined && { effective_budget_policy_id: settings.budget_policy_id }),
  };
}

/** Settings in the form of an API version: version 2.0 has one task at the top level, later versions never use that form. */
function settingsFor({ settings }: Job, version: Version): JsonMembers {
  if (version === '2.0') return withoutTasks(settings);
  return { ...settings, format: 'MULTI_TASK' };
}

/** Files are noticed when they are written; no notification service of a cloud is involved. */
async function triggerState(
  { jar }: PlatformCall,
  { settings: { trigger }, workspaceId, id }: Job,
): Promise<JsonMembers> {
  if (trigger?.file_arrival !== undefined) return { trigger_state: { file_arrival: { using_file_events: false } } };
  if (trigger?.table_update === undefined && trigger?.table === undefined) return {};
  const prefix = `${arrivalKey(jobKey(workspaceId, id), 0)}/`;
  const watches = await readAll(jar.store, catalogWatches, { prefix, order: [{ field: 'key' }] });
  const states = watches.map(({ value }) => ({ table_name: value.name, has_seen_updates: value.seen !== undefined }));
  return { trigger_state: { table: { last_seen_table_states: states, using_scalable_monitoring: false } } };
}

/** `jobs/get`. */
export async function jobView(call: PlatformCall, job: Job): Promise<JsonMembers> {
  const names = await namesOf(call.jar.store, accountIn(call).id, peopleOf([job]));
  const version = versionOf(call);
  const settings = settingsFor(job, version);
  const about = {
    ...head(job, names),
    ...(flagIn(call.query, 'include_trigger_state') && (await triggerState(call, job))),
  };
  if (version !== '2.2') return { ...about, settings };
  const page = arrayPage(call, `job ${job.id}`);
  const { members, isCut } = cutArrays(settings, ARRAYS, page.from);
  return {
    ...about,
    settings: members,
    ...(isCut && { has_more: true, next_page_token: nextArrayToken(call, page) }),
  };
}

/** Entries of `jobs/list`. The names of creators are read once per page. */
export async function jobViews(
  call: PlatformCall,
  found: readonly Job[],
  { expanded }: Detail,
): Promise<readonly JsonMembers[]> {
  const names = await namesOf(call.jar.store, accountIn(call).id, peopleOf(found));
  const version = versionOf(call);
  return found.map((job) => {
    const settings = settingsFor(job, version);
    if (version === '2.0') return { ...head(job, names), settings };
    const { tasks: _tasks, job_clusters: _clusters, ...rest } = settings;
    const { members, isCut } = cutArrays(expanded ? settings : rest, version === '2.2' ? ARRAYS : []);
    return { ...head(job, names), settings: members, ...(isCut && { has_more: true }) };
  });
}
