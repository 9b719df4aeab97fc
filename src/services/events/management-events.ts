import type { FeedFollower } from '../../kernel/feed/index.ts';

export const MANAGEMENT_EVENTS: FeedFollower = {
  name: 'events.management',
  wants: ({ source }) => source === 'management',
  async follow() {},
};
