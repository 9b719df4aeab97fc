import { DAY_MS } from '../../../kernel/time/index.ts';

/** Time during which deleted objects can be restored; afterwards they are removed. */
export const RETENTION_MS = 30 * DAY_MS;
