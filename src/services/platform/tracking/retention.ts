import { DAY_MS } from '../../../kernel/time/index.ts';

/** What is deleted can be restored for so long, and is removed then. */
export const RETENTION_MS = 30 * DAY_MS;
