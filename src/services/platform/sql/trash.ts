/** Queries, alerts and dashboards stay in the trash for so long. */
export const TRASH_DAYS = 30;
