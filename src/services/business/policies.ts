/** Names of delivery policies. Queued deliveries store them, so they must never change. */

/** Policy of the handshake that asks a receiver for its consent. */
export const HANDSHAKE = 'business.handshake';
export const NOTIFICATION = 'business.webhook';
