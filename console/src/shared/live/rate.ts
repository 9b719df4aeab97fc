import { useRef, useState } from 'react';
import { useNow } from '../format/now.tsx';
import type { Frame } from './frame.ts';
import { useFrames } from './live.tsx';

interface Counted {
  readonly at: number;
  readonly value: number;
}

const WINDOW_MS = 3_000;

/** How often something happens, in a second: the mean of the last three. Falls to 0 when no frame arrives. */
export function useRate(countOf: (frame: Frame) => number): number {
  const counted = useRef<readonly Counted[]>([]);
  const [from] = useState(() => performance.now());
  useFrames((frame) => {
    counted.current = [...recent(counted.current), { at: performance.now(), value: countOf(frame) }];
  });
  // The rate changes with time, too.
  useNow();
  const total = recent(counted.current).reduce((sum, { value }) => sum + value, 0);
  const elapsed = Math.max(1_000, Math.min(WINDOW_MS, performance.now() - from));
  return (total * 1_000) / elapsed;
}

const recent = (counted: readonly Counted[]): readonly Counted[] => {
  const since = performance.now() - WINDOW_MS;
  return counted.filter(({ at }) => at >= since);
};
