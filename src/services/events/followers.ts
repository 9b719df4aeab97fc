import { type LegacyFollower, lazyFollower } from '../../kernel/whole-service.ts';

const KINDS: ReadonlySet<string> = new Set(['write', 'delete', 'action']);

/** Management operations are events for those who subscribed to a resource, its group or its subscription. */
export const MANAGEMENT_EVENTS: LegacyFollower = lazyFollower(
  { name: 'events.management', wants: ({ source, kind }) => source === 'management' && KINDS.has(kind) },
  async () => (await import('./management-events.ts')).managementEvents,
);
