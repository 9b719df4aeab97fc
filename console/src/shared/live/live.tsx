import { createContext, type ReactNode, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type Connection, LiveFeed } from './feed.ts';
import type { Frame } from './frame.ts';
import { concerns, type Signal } from './signals.ts';

const Feed = createContext<LiveFeed | undefined>(undefined);

/**
 * Starts the page's live stream, and ends it with the component. Nothing is read before the stream has begun (or failed): a change between
 * a read and the beginning of the stream would be in neither.
 */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const [feed] = useState(() => new LiveFeed());
  useEffect(() => feed.start(), [feed]);
  const isConnecting = useSyncExternalStore(feed.subscribe, () => feed.connection === 'connecting');
  return <Feed value={feed}>{isConnecting ? <p role="status">Opening the console…</p> : children}</Feed>;
}

export function useFeed(): LiveFeed {
  const feed = useContext(Feed);
  if (!feed) throw new Error('there is no LiveProvider');
  return feed;
}

/** The newest frame; the component renders again with every frame. */
export function useFrame(): Frame | undefined {
  const feed = useFeed();
  return useSyncExternalStore(feed.subscribe, () => feed.last);
}

export function useConnection(): Connection {
  const feed = useFeed();
  return useSyncExternalStore(feed.subscribe, () => feed.connection);
}

/** Calls back for every frame, without rendering. */
export function useFrames(listener: (frame: Frame) => void): void {
  const feed = useFeed();
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => feed.onFrame((frame) => latest.current(frame)), [feed]);
}

/** Under a thousand events a second, a list is read again this often. */
const READ_AGAIN_MS = 1_000;

/** Calls back soon after something happened that concerns one of the signals, and at most once a second. */
export function useSignals(signals: readonly Signal[], callback: () => void): void {
  const latest = useRef(callback);
  latest.current = callback;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const lastAt = useRef(0);
  useFrames((frame) => {
    if (timer.current !== undefined || !concerns(frame, signals)) return;
    const wait = Math.max(0, lastAt.current + READ_AGAIN_MS - performance.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      lastAt.current = performance.now();
      latest.current();
    }, wait);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}
