/** Retention of queries, alerts and dashboards in the trash. */
export const TRASH_DAYS = 30;
