import type { RowId } from './resource-rows.ts';

/** The due work that a change of a row wakes, for work that waits for capacity. */
export const WAKES: Readonly<Partial<Record<RowId, string>>> = {
  'running-tasks': 'platform.running-tasks-limit',
  'pipeline-updates': 'platform.pipeline-updates-limit',
  'clean-room-tasks': 'platform.clean-room-tasks-limit',
};
