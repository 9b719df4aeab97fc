/** The part of a stopped container's log that is kept. */
export const KEPT_LOG_LINES = 1000;
export const KEPT_LOG_BYTES = 16 * 1024;
