/** Names of delivery policies; queued deliveries contain them, so they never change. */

export const JOB_WEBHOOK = 'platform.job-webhook';
/** For alerts and dashboards. */
export const SQL_WEBHOOK = 'platform.sql-webhook';

export const NOTIFICATION_POLICY_NAMES = [JOB_WEBHOOK, SQL_WEBHOOK] as const;

export type NotificationPolicy = (typeof NOTIFICATION_POLICY_NAMES)[number];
