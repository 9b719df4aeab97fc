import type { Tx } from '../../../../kernel/store/index.ts';
import { membersOf, textOf, textsOf } from '../../engine/json.ts';
import { accountIn, callerIdentity, type PlatformCall, workspaceIn } from '../../jar.ts';
import { takeCount } from '../../limits/take.ts';
import { runKey, runs, runTokens } from '../collections.ts';
import type { JobSettings } from '../job.ts';
import type { Run } from '../run.ts';
import { startRun } from '../running/start-run.ts';
import { completeSubmitted } from '../settings/complete.ts';
import { withTasks } from '../settings/old-form.ts';
import { overridingOf, parametersOf, readRunRequest } from '../settings/parameters.ts';
import { invalid } from '../settings/rules.ts';
import { findJob } from './access.ts';
import { jobErrors } from './errors.ts';
import { checkDestinations } from './jobs.ts';
import { aclOf, runAsOf } from './people.ts';
import { bodyOf, idIn, MOST_TASKS, versionOf } from './request.ts';

/** Operations that start runs. */

/** `run-now`. */
export async function runNow(call: PlatformCall): Promise<Run> {
  const request = readRunRequest(bodyOf(call));
  const id = idIn(request, 'job_id');
  const token = textOf(request.idempotency_token);
  await call.jar.taskImages.refresh();
  return call.jar.store.transact(async (tx) => {
    const job = await findJob(call, id, 'run', tx);
    const made = await runOfToken(tx, call, token);
    if (made) return made;
    const { settings } = job;
    const only = request.only === undefined ? undefined : textsOf(request.only);
    checkTasks(settings, only);
    const { enabled } = membersOf(request.queue);
    return startRun(tx, call.jar, {
      job,
      workspace: { id: job.workspaceId, accountId: job.accountId },
      settings,
      name: settings.name ?? 'Untitled',
      type: 'JOB_RUN',
      trigger: 'ONE_TIME',
      createdBy: callerIdentity(call).principal.id,
      runAs: job.runAs,
      parameters: parametersOf(settings, request.job_parameters),
      overriding: overridingOf(request),
      ...(typeof enabled === 'boolean' && { queue: enabled }),
      ...(only && { only }),
      ...(token !== undefined && token !== '' && { idempotencyToken: token }),
    });
  });
}

function checkTasks({ tasks = [] }: JobSettings, only: readonly string[] | undefined): void {
  if (tasks.length === 0) throw invalid('The job has no tasks to run.');
  const keys = new Set(tasks.map(({ task_key: key }) => key));
  const unknown = only?.find((key) => !keys.has(key));
  if (unknown !== undefined)
    throw invalid(`only names the task '${unknown.slice(0, 100)}', which the job does not have.`);
  if (only?.length === 0) throw invalid('only must name at least one task.');
}

/** `runs/submit`: a run without a job. It counts towards the limit of jobs created per hour. */
export async function submitRun(call: PlatformCall): Promise<Run> {
  const sent = completeSubmitted(withTasks(bodyOf(call)), { tasks: MOST_TASKS[versionOf(call)] });
  const { run_name: name, idempotency_token: sentToken, access_control_list: acl, run_as: runAs, ...settings } = sent;
  const token = textOf(sentToken);
  const { principal } = callerIdentity(call);
  const workspace = workspaceIn(call);
  await call.jar.taskImages.refresh();
  return call.jar.store.transact(async (tx) => {
    const made = await runOfToken(tx, call, token);
    if (made) return made;
    await checkDestinations(tx, call, settings);
    await takeCount(tx, call.jar, { row: 'jobs-created', scope: [workspace.id] });
    return startRun(tx, call.jar, {
      workspace: { id: workspace.id, accountId: accountIn(call).id },
      settings,
      name: textOf(name) || 'Untitled',
      type: 'SUBMIT_RUN',
      trigger: 'ONE_TIME',
      createdBy: principal.id,
      runAs: (await runAsOf(tx, call, runAs)) ?? principal.id,
      parameters: [],
      overriding: {},
      acl: await aclOf(tx, call, acl),
      ...(token !== undefined && token !== '' && { idempotencyToken: token }),
    });
  });
}

/** The run that an earlier call with the same token created. Calls with the same token wait for each other. */
async function runOfToken(tx: Tx, call: PlatformCall, token: string | undefined): Promise<Run | undefined> {
  if (token === undefined || token === '') return undefined;
  const { id: workspace } = workspaceIn(call);
  const key = runKey(workspace, token);
  await tx.lock(`platform.run-token:${key}`);
  const known = (await tx.get(runTokens, key))?.value;
  if (!known) return undefined;
  const run = (await tx.get(runs, runKey(workspace, known.runId), 'none'))?.value;
  if (!run) throw jobErrors.INVALID_PARAMETER_VALUE__TokenOfDeletedRun({ run: known.runId, token });
  return run;
}
