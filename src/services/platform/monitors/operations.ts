import type { Operation } from '../operation.ts';
import { NEW_MONITOR_OPERATIONS } from './new-api.ts';
import { OLD_MONITOR_OPERATIONS } from './old-api.ts';

/** Operations of both APIs, which share their monitors. */
export const MONITOR_OPERATIONS: readonly Operation[] = [...OLD_MONITOR_OPERATIONS, ...NEW_MONITOR_OPERATIONS];
