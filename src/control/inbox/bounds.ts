import type { WindowLimit } from '../../kernel/limits/index.ts';
import { HOUR_MS } from '../../kernel/time/index.ts';

/** How much strangers can make the jar keep: anybody may send to an inbox, and an inbox is there as soon as somebody does. */

const KIB = 1024;
const MIB = 1024 * KIB;

export const MOST_INBOXES = 1000;
/** The oldest requests of an inbox are dropped beyond these. */
export const MOST_REQUESTS = 1000;
export const MOST_BYTES = 8 * MIB;
/** Of a longer body only the beginning is kept. */
export const MOST_BODY_BYTES = 256 * KIB;

/** Of all inboxes together. Beyond, the largest lose their oldest requests, so that whoever floods one pushes out what he sent himself. */
export const MOST_BYTES_IN_ALL = 256 * MIB;
/** All inboxes are added up each time that one has grown by this much: they can be over the limit by as much each, and a small request pays nothing. */
export const ADD_UP_EVERY_BYTES = 64 * KIB;

/** This machine is no stranger as long as it uses a name of the jar: what it sends is not counted. */
export const NEW_INBOXES: WindowLimit = {
  kind: 'window',
  window: 'fixed',
  name: 'control.new-inboxes',
  title: 'Inboxes that requests from one other machine make in an hour',
  limit: 100,
  windowMs: HOUR_MS,
  unit: 'inboxes',
  scope: ['source'],
};
