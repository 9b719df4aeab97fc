import type { Tx } from '../../../../kernel/store/index.ts';
import { type Announcement, announce } from '../../destinations/announce.ts';
import { JOB_WEBHOOK } from '../../destinations/policy-names.ts';
import type { PlatformJar } from '../../jar.ts';
import type { JobSettings } from '../job.ts';
import type { Run } from '../run.ts';
import { type NotifiedTask, type RunEvent, receiversOf } from './events.ts';
import { headlineOf, incidentOf, mailText, type Occurrence, webhookBody } from './messages.ts';
import { planWarning } from './warning.ts';

/**
 * Notifies all receivers that the settings name of an event of a run, or of one of its tasks. Runs in the transaction of the event, which
 * also queues the mail and messages. Skipped and cancelled runs are reported as `on_failure`; muting is decided here.
 */
export async function notifyRun(
  tx: Tx,
  jar: PlatformJar,
  run: Run,
  plan: JobSettings,
  event: RunEvent,
  task?: NotifiedTask,
): Promise<void> {
  if (event === 'on_start') await planWarning(tx, jar, run, plan, task);
  const ending = task ? task.task.ending : run.ending;
  const receivers = receiversOf(task?.settings ?? plan, event, ending, task);
  if (receivers.addresses.length + receivers.destinations.length === 0) return;
  await announce(tx, jar, announcementOf({ run, event, task }), receivers);
}

function announcementOf(occurrence: Occurrence): Announcement {
  const { run } = occurrence;
  return {
    accountId: run.accountId,
    workspaceId: run.workspaceId,
    policy: JOB_WEBHOOK,
    headline: headlineOf(occurrence),
    text: mailText(occurrence),
    webhook: webhookBody(occurrence),
    incident: incidentOf(occurrence),
  };
}
