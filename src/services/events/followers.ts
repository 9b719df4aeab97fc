import type { FollowerHead } from '../../kernel/feed/index.ts';

const KINDS: ReadonlySet<string> = new Set(['write', 'delete', 'action']);

/** Turns management operations into events for subscribers of the resource, its group or its subscription. */
export const MANAGEMENT_EVENTS: FollowerHead = {
  name: 'events.management',
  wants: ({ source, kind }) => source === 'management' && KINDS.has(kind),
};
