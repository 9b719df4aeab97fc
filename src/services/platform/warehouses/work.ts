import { defineWork } from '../../../kernel/work/index.ts';

/** The transition that a warehouse is in has come to its end. */
export const STEP_WAREHOUSE = defineWork<{ readonly key: string }>('platform.step-warehouse', { concurrency: 8 });

/** A warehouse may have been idle for as long as it may be. */
export const IDLE_WAREHOUSE = defineWork<{ readonly key: string }>('platform.idle-warehouse', { concurrency: 8 });

/** The configuration of a workspace has changed: its running warehouses restart. */
export const RESTART_WAREHOUSES = defineWork<{ readonly workspaceId: string }>('platform.restart-warehouses');

export const WAREHOUSE_WORK = [STEP_WAREHOUSE, IDLE_WAREHOUSE, RESTART_WAREHOUSES] as const;
