/** The names of the delivery policies, which queued deliveries carry: never to change. */

/** Asks a receiver whether it wants notifications. */
export const HANDSHAKE = 'business.handshake';
export const NOTIFICATION = 'business.webhook';
