/** Names of delivery policies, which queued deliveries carry: they never change. */

export const JOB_WEBHOOK = 'platform.job-webhook';
/** Of alerts and dashboards. */
export const SQL_WEBHOOK = 'platform.sql-webhook';

export const NOTIFICATION_POLICY_NAMES = [JOB_WEBHOOK, SQL_WEBHOOK] as const;

export type NotificationPolicy = (typeof NOTIFICATION_POLICY_NAMES)[number];
