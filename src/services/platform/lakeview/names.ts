/** Names of kinds; stored keys contain them, so they never change. */

export const DASHBOARDS_NAME = 'lakeview-dashboards';
export const SCHEDULES_NAME = 'lakeview-schedules';
export const SUBSCRIPTIONS_NAME = 'lakeview-subscriptions';
