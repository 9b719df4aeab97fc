import type { Incident } from '../../destinations/messages.ts';
import type { Run } from '../run.ts';
import { resultOf } from '../states.ts';
import type { NotifiedTask, RunEvent } from './events.ts';

/** Subject of an event. */
export interface Occurrence {
  readonly run: Run;
  readonly event: RunEvent;
  readonly task?: NotifiedTask | undefined;
}

/** The body for a webhook. Ids are numbers, because receivers decode them as numbers. */
export function webhookBody({ run, event, task }: Occurrence): object {
  return {
    event_type: `jobs.${event}`,
    workspace_id: Number(run.workspaceId),
    run: task ? { run_id: Number(task.task.id), parent_run_id: Number(run.id) } : { run_id: Number(run.id) },
    ...(run.jobId !== undefined && { job: { job_id: Number(run.jobId), name: run.name } }),
    ...(task && { task: { task_key: task.task.key } }),
  };
}

const HAPPENINGS: Readonly<Record<RunEvent, string>> = {
  on_start: 'started',
  on_success: 'succeeded',
  on_failure: 'failed',
  on_duration_warning_threshold_exceeded: 'exceeded its expected duration',
};

/** One line for mail subjects and chat messages. A skipped or cancelled run is not reported as failed. */
export function headlineOf({ run, event, task }: Occurrence): string {
  const ending = task ? task.task.ending : run.ending;
  const happening =
    event === 'on_failure' && ending?.outcome === 'CANCELED'
      ? 'was cancelled'
      : event === 'on_failure' && ending && ['SKIPPED', 'MAX_CONCURRENT_RUNS'].includes(ending.outcome)
        ? 'was skipped'
        : HAPPENINGS[event];
  const what = task ? `Task ${task.task.key} of ${run.name}` : run.name;
  return `${what}: run ${task ? task.task.id : run.id} ${happening}`;
}

const SEVERITIES: Readonly<Record<RunEvent, Incident['severity']>> = {
  on_start: 'info',
  on_success: 'info',
  on_failure: 'error',
  on_duration_warning_threshold_exceeded: 'warning',
};

/** All runs of a job, or of one of its tasks, share one PagerDuty incident, which the next success resolves. */
export const incidentOf = ({ run, event, task }: Occurrence): Incident => ({
  action: event === 'on_success' ? 'resolve' : 'trigger',
  key: [run.workspaceId, run.jobId ?? `run-${run.id}`, ...(task ? [task.task.key] : [])].join('/'),
  severity: SEVERITIES[event],
});

/** The text of an e-mail. */
export function mailText(occurrence: Occurrence): string {
  const { run, task } = occurrence;
  const ending = task ? task.task.ending : run.ending;
  const lines = [
    `${headlineOf(occurrence)}.`,
    '',
    `Workspace: ${run.workspaceId}`,
    ...(run.jobId === undefined ? [] : [`Job: ${run.name} (${run.jobId})`]),
    `Run: ${run.id}`,
    ...(task ? [`Task: ${task.task.key} (run ${task.task.id}, attempt ${task.task.attempt})`] : []),
    ...(ending ? [`Result: ${resultOf(ending)}`] : []),
    ...(ending && ending.message !== '' ? [`Message: ${ending.message}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
