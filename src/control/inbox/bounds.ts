import type { WindowLimit } from '../../kernel/limits/index.ts';
import { HOUR_MS } from '../../kernel/time/index.ts';

/** Limits on what anonymous senders can make the jar keep: anyone may send to an inbox, and the first request creates it. */

const KIB = 1024;
const MIB = 1024 * KIB;

export const MOST_INBOXES = 1000;
/** Beyond these limits, the oldest requests of an inbox are dropped. */
export const MOST_REQUESTS = 1000;
export const MOST_BYTES = 8 * MIB;
/** A longer body is truncated. */
export const MOST_BODY_BYTES = 256 * KIB;

/** For all inboxes together. Beyond it, the largest inboxes lose their oldest requests, so that a flood displaces only its own requests. */
export const MOST_BYTES_IN_ALL = 256 * MIB;
/**
 * The total is computed each time an inbox has grown by this much. The total can exceed the limit by this much per inbox; in return, small
 * requests cost nothing.
 */
export const TOTAL_CHECK_BYTES = 64 * KIB;

/** Requests from this machine under a name of the jar are not counted. */
export const NEW_INBOXES: WindowLimit = {
  kind: 'window',
  window: 'fixed',
  name: 'control.new-inboxes',
  title: 'Inboxes created by requests from one other machine in an hour',
  limit: 100,
  windowMs: HOUR_MS,
  unit: 'inboxes',
  scope: ['source'],
};
