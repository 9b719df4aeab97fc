import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { Receivers } from '../../destinations/announce.ts';
import { listOf, membersOf, textOf, textsOf } from '../../engine/json.ts';
import type { TaskSettings } from '../job.ts';
import type { Ending } from '../run.ts';
import { isSkip } from '../states.ts';
import type { TaskRun } from '../task-run.ts';

export const RUN_EVENTS = ['on_start', 'on_success', 'on_failure', 'on_duration_warning_threshold_exceeded'] as const;

export type RunEvent = (typeof RUN_EVENTS)[number];

/** Set if an event is about a task run and not about the whole run. */
export interface NotifiedTask {
  readonly task: TaskRun;
  readonly settings: TaskSettings;
  readonly isLastAttempt: boolean;
}

/** The part of the settings of a job or a task that names the receivers of notifications. */
export interface NotificationSettings {
  readonly email_notifications?: JsonMembers;
  readonly webhook_notifications?: JsonMembers;
  readonly notification_settings?: JsonMembers;
}

const NOBODY: Receivers = { addresses: [], destinations: [] };

/** The receivers of an event. `ending` is that of the ended run or task. */
export function receiversOf(
  settings: NotificationSettings,
  event: RunEvent,
  ending: Ending | undefined,
  task?: NotifiedTask,
): Receivers {
  const { email_notifications: email, webhook_notifications: webhook, notification_settings: muting } = settings;
  if (task && isSilentAttempt(task, event, muting)) return NOBODY;
  if (event === 'on_failure' && ending && isMuted(ending, muting)) return NOBODY;
  const isMailMuted = event === 'on_failure' && ending && isSkip(ending) && email?.no_alert_for_skipped_runs === true;
  return {
    addresses: isMailMuted ? [] : [...new Set(textsOf(email?.[event]))],
    destinations: idsOf(webhook?.[event]),
  };
}

function isMuted(ending: Ending, muting: JsonMembers | undefined): boolean {
  if (ending.outcome === 'CANCELED' || ending.outcome === 'UPSTREAM_CANCELED')
    return muting?.no_alert_for_canceled_runs === true;
  return isSkip(ending) && muting?.no_alert_for_skipped_runs === true;
}

/**
 * With `alert_on_last_attempt`, retries send no start notification, and only the last attempt sends a failure notification. Conditions
 * never notify.
 */
function isSilentAttempt({ task, isLastAttempt }: NotifiedTask, event: RunEvent, muting?: JsonMembers): boolean {
  if (task.kind === 'condition_task') return true;
  if (muting?.alert_on_last_attempt !== true) return false;
  return (event === 'on_start' && task.attempt > 0) || (event === 'on_failure' && !isLastAttempt);
}

const idsOf = (list: JsonMembers[string]): readonly string[] => [
  ...new Set(listOf(list).flatMap((each) => textOf(membersOf(each).id) ?? [])),
];
