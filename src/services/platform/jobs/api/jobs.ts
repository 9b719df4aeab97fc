import { numericId } from '../../../../kernel/ids/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { findDestination } from '../../destinations/find.ts';
import { errors } from '../../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, workspaceIn } from '../../jar.ts';
import { freeCount, takeCounts } from '../../limits/take.ts';
import { jobKey, jobs } from '../collections.ts';
import type { Job, JobSettings } from '../job.ts';
import { fillSlots } from '../running/work.ts';
import { planFiring } from '../schedule/timing.ts';
import { fireId } from '../schedule/work.ts';
import { changedSettings } from '../settings/change.ts';
import { completeJob, destinationsOf } from '../settings/complete.ts';
import { withTasks } from '../settings/old-form.ts';
import { invalid, readMembers, texts } from '../settings/rules.ts';
import { forgetTriggers } from '../triggers/plan.ts';
import { findJob } from './access.ts';
import { aclOf, runAsOf } from './people.ts';
import { bodyOf, idIn, MOST_TASKS, versionOf } from './request.ts';
import { applyTimeout } from './timeouts.ts';

/** Writing operations on jobs. Each is one transaction. */

/** Only `create` reads the permissions; later changes use the permissions API. */
function withoutAcl(settings: JobSettings): JobSettings {
  const { access_control_list: _acl, ...rest } = settings;
  return rest;
}

export async function createJob(call: PlatformCall): Promise<Job> {
  const { jar } = call;
  const workspace = workspaceIn(call);
  const settings = completeJob(withTasks(bodyOf(call)), { tasks: MOST_TASKS[versionOf(call)] });
  const { principal } = callerIdentity(call);
  return jar.store.transact(async (tx) => {
    await checkDestinations(tx, call, settings);
    const scope = [workspace.id];
    const job: Job = {
      id: numericId(),
      workspaceId: workspace.id,
      accountId: accountIn(call).id,
      createdBy: principal.id,
      createdAt: jar.clock.now(),
      runAs: (await runAsOf(tx, call, settings.run_as)) ?? principal.id,
      settings: withoutAcl(settings),
      acl: await aclOf(tx, call, settings.access_control_list),
      lastNumber: 0,
    };
    await takeCounts(tx, jar, [
      { row: 'jobs-created', scope },
      { row: 'saved-jobs', scope },
    ]);
    await tx.put(jobs, jobKey(workspace.id, job.id), job, { ifNoneMatch: '*' });
    await planFiring(tx, jar, job);
    await record(tx, call, 'create', job);
    return job;
  });
}

/** `jobs/update`: changes some fields; lists of tasks and clusters are merged by key. */
export async function updateJob(call: PlatformCall): Promise<void> {
  const body = bodyOf(call);
  const { fields_to_remove: removed } = readMembers(
    { fields_to_remove: texts },
    { fields_to_remove: body.fields_to_remove },
  );
  if (body.new_settings === undefined && removed === undefined)
    throw invalid('At least one of new_settings and fields_to_remove must be given.');
  await change(call, idIn(body, 'job_id'), (before) =>
    changedSettings(before, body.new_settings ?? {}, (removed ?? []) as readonly string[]),
  );
}

/** `jobs/reset`: replaces all settings. The `run_as` identity stays unless the request sets it. */
export async function resetJob(call: PlatformCall): Promise<void> {
  const body = bodyOf(call);
  const id = idIn(body, 'job_id');
  const { new_settings: sent } = body;
  if (sent === undefined || sent === null)
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'new_settings' });
  await change(call, id, (before) => {
    const news = withTasks(sent);
    const { run_as: runAs } = before;
    return typeof news === 'object' && news !== null && !('run_as' in news) && runAs !== undefined
      ? { ...news, run_as: runAs }
      : news;
  });
}

async function change(call: PlatformCall, id: string, settingsAfter: (before: JobSettings) => unknown): Promise<void> {
  const { jar } = call;
  await jar.store.transact(async (tx) => {
    const before = await findJob(call, id, 'manage', tx);
    const most = Math.max(MOST_TASKS[versionOf(call)], before.settings.tasks?.length ?? 0);
    const settings = withoutAcl(completeJob(settingsAfter(before.settings), { tasks: most }));
    await checkDestinations(tx, call, settings);
    const isSame = JSON.stringify(settings.run_as) === JSON.stringify(before.settings.run_as);
    const runAs = isSame ? before.runAs : ((await runAsOf(tx, call, settings.run_as)) ?? before.createdBy);
    const after: Job = { ...before, settings, runAs };
    await tx.put(jobs, jobKey(after.workspaceId, after.id), after);
    await planFiring(tx, jar, after, before.settings);
    await applyTimeout(tx, after, before.settings);
    if (mostRuns(settings) > mostRuns(before.settings)) await tx.wake(fillSlots(after.workspaceId, jar.clock.now()));
    await record(tx, call, 'update', after);
  });
}

/** If the value grows, queued runs may start. */
const mostRuns = ({ max_concurrent_runs: most = 1 }: JobSettings): number => most;

/** Active runs continue to their end and all runs stay readable; the schedule is removed. */
export async function deleteJob(call: PlatformCall): Promise<void> {
  const { jar } = call;
  const id = idIn(bodyOf(call), 'job_id');
  await jar.store.transact(async (tx) => {
    const job = await findJob(call, id, 'manage', tx);
    const key = jobKey(job.workspaceId, job.id);
    await tx.delete(jobs, key);
    await tx.cancel(fireId(key));
    await forgetTriggers(tx, key);
    await freeCount(tx, jar, { row: 'saved-jobs', scope: [job.workspaceId] });
    await record(tx, call, 'delete', job);
  });
}

export async function checkDestinations(tx: Tx, { jar, facts }: PlatformCall, settings: JobSettings): Promise<void> {
  for (const id of destinationsOf(settings)) {
    if (!(await findDestination(tx, jar, facts.workspace?.id ?? '', id)))
      throw invalid(`The notification destination '${id.slice(0, 100)}' does not exist.`);
  }
}

/** For the audit trail and the change feed. */
const record = (tx: Tx, { jar }: PlatformCall, kind: string, { workspaceId, id, settings }: Job): Promise<void> =>
  tx.change({
    source: 'platform',
    kind,
    subject: `/${workspaceId}/jobs/${id}`,
    outcome: 'Succeeded',
    at: jar.clock.now(),
    data: { kind: 'job', id, name: settings.name ?? '' } satisfies JsonMembers,
  });
