import { defineWork } from '../../../kernel/work/index.ts';

/** The current transition of a warehouse ends. */
export const STEP_WAREHOUSE = defineWork<{ readonly key: string }>('platform.step-warehouse', { concurrency: 8 });

/** A warehouse may have reached its idle timeout. */
export const IDLE_WAREHOUSE = defineWork<{ readonly key: string }>('platform.idle-warehouse', { concurrency: 8 });

/** Restarts the running warehouses of a workspace whose configuration has changed. */
export const RESTART_WAREHOUSES = defineWork<{ readonly workspaceId: string }>('platform.restart-warehouses');

export const WAREHOUSE_WORK = [STEP_WAREHOUSE, IDLE_WAREHOUSE, RESTART_WAREHOUSES] as const;
