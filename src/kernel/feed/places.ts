import { collection } from '../store/collection.ts';
import type { Collection } from '../store/types.ts';

/** An active follower: written when it begins and removed when it ends, so that memory can tell whether there is one. */
export interface Following {
  /** The newest change at its beginning; absent when there was none. */
  readonly since?: string;
}

/** How far an active follower has come: written with every step, so it is kept apart from what memory has. */
export interface Place {
  /** Absent: at the beginning. */
  readonly cursor?: string;
}

export const followings = collection<Following>('kernel.feeds', { cached: true });
export const places = collection<Place>('kernel.feed_places');

// biome-ignore lint/suspicious/noExplicitAny: collections of any document type are opened together
export const feedCollections: readonly Collection<any>[] = [followings, places];
