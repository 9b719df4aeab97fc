import { flag, integer, listOf, object, oneOf, REQUIRED, type Rule, type Rules, text } from './rules.ts';

/** Notification settings of a job or a task: receivers per event. */

export const LISTS = [
  'on_start',
  'on_success',
  'on_failure',
  'on_duration_warning_threshold_exceeded',
  'on_streaming_backlog_exceeded',
  'on_maintenance_start',
  'on_maintenance_complete',
] as const;

const MOST_DESTINATIONS = 3;

const each = (rule: Rule): Rules => Object.fromEntries(LISTS.map((name) => [name, rule]));

const ADDRESS = text({ least: 1, most: 320 });
const DESTINATION = object({ id: text({ ...REQUIRED, least: 1 }) });

const METRICS = [
  'RUN_DURATION_SECONDS',
  'STREAMING_BACKLOG_BYTES',
  'STREAMING_BACKLOG_RECORDS',
  'STREAMING_BACKLOG_SECONDS',
  'STREAMING_BACKLOG_FILES',
];

export const NOTIFICATIONS: Rules = {
  email_notifications: object({ ...each(listOf(ADDRESS)), no_alert_for_skipped_runs: flag }),
  webhook_notifications: object(each(listOf(DESTINATION, { most: MOST_DESTINATIONS }))),
  notification_settings: object({
    no_alert_for_skipped_runs: flag,
    no_alert_for_canceled_runs: flag,
    alert_on_last_attempt: flag,
  }),
  health: object({
    rules: listOf(
      object({
        metric: oneOf(METRICS, REQUIRED),
        op: oneOf(['GREATER_THAN'], REQUIRED),
        value: integer({ ...REQUIRED, least: 0 }),
      }),
    ),
  }),
};
