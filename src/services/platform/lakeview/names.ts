/** Names of kinds, which are part of stored keys: they never change. */

export const DASHBOARDS_NAME = 'lakeview-dashboards';
export const SCHEDULES_NAME = 'lakeview-schedules';
export const SUBSCRIPTIONS_NAME = 'lakeview-subscriptions';
