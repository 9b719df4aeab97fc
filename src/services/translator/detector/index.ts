import { openDetector } from './engine.ts';
import type { Detector } from './types.ts';

export type { Candidate, Detection, Detector } from './types.ts';

let loading: Promise<Detector> | undefined;

/** The detector of this process: its weights are read on first use and shared from then on. */
export function loadDetector(): Promise<Detector> {
  loading ??= openDetector().catch((error: unknown) => {
    // The next request retries: the read error may have been temporary.
    loading = undefined;
    throw error;
  });
  return loading;
}
