/** What is kept of the log of a stopped container. */
export const KEPT_LOG_LINES = 1000;
export const KEPT_LOG_BYTES = 16 * 1024;
