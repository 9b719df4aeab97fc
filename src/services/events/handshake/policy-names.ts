export const HANDSHAKE = 'events.handshake';
export const NOTICE = 'events.notice';
