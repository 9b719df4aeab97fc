import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { Frame } from '../live/frame.ts';
import { useFeed, useFrames } from '../live/live.tsx';

/** The jar's time and how far it is from the wall's. */
export interface JarNow {
  readonly now: number;
  /** Jar minus wall, in milliseconds. */
  readonly offset: number;
  readonly mode: 'shifted' | 'virtual' | 'system';
}

const Now = createContext<JarNow | undefined>(undefined);

const TICK_MS = 1_000;
/** A larger difference is not the delay of a message. */
export const NOTABLE_OFFSET_MS = 5_000;

/** Ticks once a second with the jar's clock; every relative time on the page follows. */
export function NowProvider({ children }: { readonly children: ReactNode }) {
  const feed = useFeed();
  const [, tick] = useState(0);
  // The first frame has come before this is shown.
  const [offset, setOffset] = useState(() => offsetOf(feed.last));
  useFrames((frame) => setOffset(offsetOf(frame)));
  useEffect(() => {
    const timer = setInterval(() => tick((each) => each + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const mode = feed.last?.mode ?? 'system';
  const now = mode === 'virtual' && feed.last ? Date.parse(feed.last.now) : Date.now() + offset;
  return <Now value={{ now, offset, mode }}>{children}</Now>;
}

const offsetOf = (frame: Frame | undefined): number => (frame ? Date.parse(frame.now) - Date.parse(frame.systemAt) : 0);

export function useNow(): JarNow {
  const now = useContext(Now);
  if (!now) throw new Error('there is no NowProvider');
  return now;
}
