import { defineWork } from '../../../kernel/work/index.ts';

/** The current transition of a warehouse ends. */
export const STEP_WAREHOUSE = defineWork<{ readonly key: string }>('platform.step-warehouse', {
  title: 'Ends a transition of a warehouse',
  subject: 'key',
  concurrency: 8,
});

/** A warehouse may have reached its idle timeout. */
export const IDLE_WAREHOUSE = defineWork<{ readonly key: string }>('platform.idle-warehouse', {
  title: 'Checks whether a warehouse is idle',
  subject: 'key',
  concurrency: 8,
});

/** Restarts the running warehouses of a workspace whose configuration has changed. */
export const RESTART_WAREHOUSES = defineWork<{ readonly workspaceId: string }>('platform.restart-warehouses', {
  title: 'Restarts the warehouses of a workspace',
  subject: 'workspaceId',
});

export const WAREHOUSE_WORK = [STEP_WAREHOUSE, IDLE_WAREHOUSE, RESTART_WAREHOUSES] as const;
