import { collection } from '../store/collection.ts';
import type { Collection } from '../store/types.ts';

/** An active follower. Written only on activation and deactivation, so that it can be cached. */
export interface Following {
  /** The newest change at activation; absent if there was none. */
  readonly since?: string;
}

/** Position of an active follower in the feed. Written with every step, and therefore separate from the cached collection. */
export interface FollowerPosition {
  /** Absent: at the beginning. */
  readonly cursor?: string;
}

export const followings = collection<Following>('kernel.feeds', { cached: true });
export const followerPositions = collection<FollowerPosition>('kernel.feed_places');

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
export const feedCollections: readonly Collection<any>[] = [followings, followerPositions];
