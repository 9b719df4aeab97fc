/** Defaults for a subscription without a retry policy of its own, and the limits of retry policies. */
export const DEFAULT_ATTEMPTS = 30;
export const DEFAULT_TTL_MINUTES = 1440;
