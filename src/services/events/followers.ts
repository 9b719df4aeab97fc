import type { FollowerHead } from '../../kernel/feed/index.ts';

const KINDS: ReadonlySet<string> = new Set(['write', 'delete', 'action']);

/** Management operations are events for those who subscribed to a resource, its group or its subscription. */
export const MANAGEMENT_EVENTS: FollowerHead = {
  name: 'events.management',
  wants: ({ source, kind }) => source === 'management' && KINDS.has(kind),
};
